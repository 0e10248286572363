package io.orrery.parquet;

import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.StringType;
import org.apache.parquet.format.Type;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;

/**
 * How a column is laid out in a file that is written here. Lists have the three levels that the
 * format asks for: the field, a repeated group {@code list}, its {@code element}.
 */
final class StoredColumn {
  private final Column column;

  StoredColumn(Column column) {
    if (column.type() == ColumnType.OTHER) {
      throw new IllegalArgumentException(column.name() + ": of a type that cannot be written");
    }
    this.column = column;
  }

  boolean isList() {
    return column.type() == ColumnType.INT_LIST || column.type() == ColumnType.LONG_LIST;
  }

  Type type() {
    return switch (column.type()) {
      case BOOLEAN -> Type.BOOLEAN;
      case INT, INT_LIST -> Type.INT32;
      case LONG, LONG_LIST -> Type.INT64;
      case DOUBLE -> Type.DOUBLE;
      case STRING, OTHER -> Type.BYTE_ARRAY;
    };
  }

  List<String> path() {
    return isList() ? List.of(column.name(), "list", "element") : List.of(column.name());
  }

  ColumnDescriptor descriptor() {
    PrimitiveTypeName stored =
        type() == Type.BYTE_ARRAY
            ? PrimitiveTypeName.BINARY
            : PrimitiveTypeName.valueOf(type().name());
    return new ColumnDescriptor(
        path().toArray(new String[0]),
        new PrimitiveType(Repetition.REQUIRED, stored, column.name()),
        isList() ? 1 : 0,
        (column.nullable() ? 1 : 0) + (isList() ? 1 : 0));
  }

  /** Its fields in the schema, in preorder. */
  List<SchemaElement> elements() {
    SchemaElement field = new SchemaElement(column.name());
    field.setRepetition_type(
        column.nullable() ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED);
    if (!isList()) {
      field.setType(type());
      if (column.type() == ColumnType.STRING) {
        field.setConverted_type(ConvertedType.UTF8);
        field.setLogicalType(LogicalType.STRING(new StringType()));
      }
      return List.of(field);
    }
    field.setNum_children(1);
    field.setConverted_type(ConvertedType.LIST);
    field.setLogicalType(LogicalType.LIST(new ListType()));
    SchemaElement list = new SchemaElement("list");
    list.setRepetition_type(FieldRepetitionType.REPEATED);
    list.setNum_children(1);
    SchemaElement element = new SchemaElement("element");
    element.setRepetition_type(FieldRepetitionType.REQUIRED);
    element.setType(type());
    return List.of(field, list, element);
  }
}
