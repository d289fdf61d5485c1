"""Classes, clubs and companies: who belongs to which, in what role, and how people come in."""
