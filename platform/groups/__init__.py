"""Groups (classes, clubs and companies): their members, the members' roles, and how people join."""
