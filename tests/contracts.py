"""A contract of the layers: a package imports what is listed, and nothing else.

Import-linter's own contract forbids what is listed, so that a new package would be allowed until somebody thinks of it;
and it does not see the compiled core, which has no source it could read. Here an import of `_core` is seen as what it
is in the text: an import from the package `rosenblatt` itself.
"""

import sys
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """`package` and all in it may import the standard library, itself and `allowed`."""

    package = fields.StringField()
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        """The imports that are not allowed, each with its place."""
        found = []
        for importer in {self.package} | graph.find_descendants(self.package):
            for imported in graph.find_modules_directly_imported_by(importer):
                top = imported.partition(".")[0]
                inside = imported == self.package or imported.startswith(f"{self.package}.")
                if inside or top in sys.stdlib_module_names or {top, imported} & {*self.allowed}:
                    continue
                found += graph.get_import_details(importer=importer, imported=imported)
        return ContractCheck(kept=not found, metadata={"found": found})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """One line for each."""
        for one in sorted(check.metadata["found"], key=lambda one: (one["importer"], one["line_number"])):
            output.print_error(f"{one['importer']}, line {one['line_number']}: {one['line_contents'].strip()}")
