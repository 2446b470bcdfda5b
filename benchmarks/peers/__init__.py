"""One file a peer: it translates `Work` into its own call and reads the weights out; see `contest.Peer`."""
