package io.orrery.parquet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.jspecify.annotations.Nullable;

/** Finds the columns in a file's schema, which is a tree written in preorder. */
final class SchemaReader {
  private static final int DEEPEST = 100;

  private final Path file;
  private final List<SchemaElement> elements;
  private final List<LeafColumn> leaves = new ArrayList<>();
  private int next;

  private SchemaReader(Path file, List<SchemaElement> elements) {
    this.file = file;
    this.elements = elements;
  }

  /** The columns in the order in which row groups hold them. */
  static List<LeafColumn> leaves(Path file, List<SchemaElement> elements) {
    SchemaReader reader = new SchemaReader(file, elements);
    SchemaElement root = reader.element();
    for (int child = 0; child < root.getNum_children(); child++) {
      reader.field(new Node(List.of(), 0, 0, 0, true));
    }
    if (reader.next != elements.size()) {
      throw reader.damaged("fields after the end of the schema");
    }
    return reader.leaves;
  }

  /**
   * A group on the way to a column.
   *
   * @param path names from the top-level field on
   * @param listLevel definition level at the (last) repeated field of the path
   * @param alone whether every group below the top level has one child only
   */
  private record Node(
      List<String> path, int definition, int repetition, int listLevel, boolean alone) {
    Node child(String name, @Nullable FieldRepetitionType kind) {
      List<String> longer = new ArrayList<>(path);
      longer.add(name);
      boolean repeated = kind == FieldRepetitionType.REPEATED;
      int level = definition + (repeated || kind == FieldRepetitionType.OPTIONAL ? 1 : 0);
      return new Node(
          longer, level, repetition + (repeated ? 1 : 0), repeated ? level : listLevel, alone);
    }

    Node withSiblings() {
      return new Node(path, definition, repetition, listLevel, false);
    }
  }

  private void field(Node parent) {
    SchemaElement element = element();
    Node node = parent.child(element.getName(), element.getRepetition_type());
    if (node.path().size() > DEEPEST) {
      throw damaged("fields nested more than " + DEEPEST + " deep");
    }
    if (element.isSetType()) {
      leaves.add(leaf(element, node));
      return;
    }
    Node inside = element.getNum_children() > 1 ? node.withSiblings() : node;
    for (int child = 0; child < element.getNum_children(); child++) {
      field(inside);
    }
  }

  private SchemaElement element() {
    if (next >= elements.size() || elements.get(next).getName() == null) {
      throw damaged("a schema that breaks off");
    }
    return elements.get(next++);
  }

  private LeafColumn leaf(SchemaElement element, Node node) {
    ColumnType single = single(element);
    boolean list = node.repetition() == 1 && node.alone();
    ColumnType type =
        node.repetition() == 0 ? single : list ? listOf(single, element) : ColumnType.OTHER;
    String name = list ? node.path().get(0) : String.join(".", node.path());
    boolean nullable = list ? node.listLevel() > 1 : node.definition() > 0;
    String declared = (node.repetition() > 0 ? "list of " : "") + declared(element);
    String[] path = node.path().toArray(new String[0]);
    PrimitiveType stored =
        new PrimitiveType(
            Repetition.REQUIRED,
            PrimitiveTypeName.valueOf(storedName(element.getType())),
            Math.max(1, element.getType_length()),
            element.getName());
    return new LeafColumn(
        leaves.size(),
        new Column(name.isEmpty() ? "(no name)" : name, type, nullable),
        element.getType(),
        declared,
        new ColumnDescriptor(path, stored, node.repetition(), node.definition()),
        list ? node.listLevel() : 0,
        isUnsigned(element));
  }

  private static ColumnType single(SchemaElement element) {
    ConvertedType converted = element.getConverted_type();
    LogicalType logical = element.getLogicalType();
    boolean integers = logical == null || logical.isSetINTEGER();
    boolean text =
        logical == null || logical.isSetSTRING() || logical.isSetENUM() || logical.isSetJSON();
    boolean plain = converted == null && logical == null;
    return switch (element.getType()) {
      case BOOLEAN -> plain ? ColumnType.BOOLEAN : ColumnType.OTHER;
      case INT32 ->
          !integers || !isInteger(converted)
              ? ColumnType.OTHER
              : isUnsigned(element) ? ColumnType.LONG : ColumnType.INT;
      case INT64 -> integers && isInteger(converted) ? ColumnType.LONG : ColumnType.OTHER;
      case FLOAT, DOUBLE -> plain ? ColumnType.DOUBLE : ColumnType.OTHER;
      case BYTE_ARRAY -> text && isText(converted) ? ColumnType.STRING : ColumnType.OTHER;
      default -> ColumnType.OTHER;
    };
  }

  private static ColumnType listOf(ColumnType single, SchemaElement element) {
    if (single == ColumnType.INT) {
      return ColumnType.INT_LIST;
    }
    boolean wide = single == ColumnType.LONG && element.getType() == Type.INT64;
    return wide ? ColumnType.LONG_LIST : ColumnType.OTHER;
  }

  private static boolean isInteger(@Nullable ConvertedType converted) {
    if (converted == null) {
      return true;
    }
    return switch (converted) {
      case INT_8, INT_16, INT_32, INT_64, UINT_8, UINT_16, UINT_32, UINT_64 -> true;
      default -> false;
    };
  }

  private static boolean isText(@Nullable ConvertedType converted) {
    return converted == null
        || converted == ConvertedType.UTF8
        || converted == ConvertedType.ENUM
        || converted == ConvertedType.JSON;
  }

  /** Whether stored bits mean an unsigned number; narrower ones never set the sign bit. */
  private static boolean isUnsigned(SchemaElement element) {
    ConvertedType converted = element.getConverted_type();
    LogicalType logical = element.getLogicalType();
    return converted == ConvertedType.UINT_32
        || converted == ConvertedType.UINT_64
        || (logical != null
            && logical.isSetINTEGER()
            && !logical.getINTEGER().isIsSigned()
            && logical.getINTEGER().getBitWidth() >= 32);
  }

  /** {@code int64} or {@code int64 (timestamp_micros)}. */
  private static String declared(SchemaElement element) {
    String stored = element.getType().toString();
    String text =
        element.isSetConverted_type()
            ? stored + " (" + element.getConverted_type() + ")"
            : element.isSetLogicalType()
                ? stored + " (" + element.getLogicalType().getSetField().getFieldName() + ")"
                : stored;
    return text.toLowerCase(Locale.ROOT);
  }

  private static String storedName(Type type) {
    return type == Type.BYTE_ARRAY ? PrimitiveTypeName.BINARY.name() : type.name();
  }

  private ParquetException damaged(String found) {
    return new ParquetException(file, null, found, "an intact Parquet file");
  }
}
