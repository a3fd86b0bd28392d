"""docs/operators.json: which operation a schema of ATen is, and where its arguments go."""

import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "operators.json"


class Operation:
    """An operation of the graph dialect, as operators.json describes it."""

    def __init__(self, name, described):
        self.name = name
        self.arguments = described["arguments"]
        self.operands = described["operands"]
        self.attributes = described["attributes"]
        self.results = described["results"]
        self.segments = described["segments"]
        # Whether later uses of the tensor that it changes are uses of its result.
        self.metadata = described.get("metadata", False)

    def writes(self):
        """Whether its result is the tensor of its first operand."""
        return self.name.partition(".")[2].partition(".")[0].endswith("_") and len(self.results) == 1

    def makes(self):
        """Whether it makes a tensor out of numbers."""
        return all(operand["kind"] != "tensor" for operand in self.operands)

    def place(self, name, position):
        """What an argument of the schema is called here: its own name, or that of the argument in its position."""
        if name in self.arguments:
            return name
        return self.arguments[position] if position < len(self.arguments) else None


class Operators:
    """The operations by the schemas that they take."""

    def __init__(self, file=FILE):
        described = json.loads(pathlib.Path(file).read_text())
        self.schemas = described["schemas"]
        self.operations = {name: Operation(name, entry) for name, entry in described["operations"].items()}

    def find(self, schema):
        """The operation of a schema such as `aten::add.Tensor`; None where there is none."""
        name = self.schemas.get(schema)
        return None if name is None else self.operations[name]
