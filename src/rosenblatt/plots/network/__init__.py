"""Networks and the neuron as diagrams."""
