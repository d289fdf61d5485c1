"""Files that cost much: a worker makes each once for all who may have it, and it stays for a day after its last use.

A room registers its kinds of files; a view asks for one, and either sends it or says that it is being prepared.
"""
