"""What tournaments and leagues share: who may organise them, their terms, and the actions of pages and the API."""
