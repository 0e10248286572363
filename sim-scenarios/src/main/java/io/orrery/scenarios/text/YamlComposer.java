package io.orrery.scenarios.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Turns SnakeYAML's events into nodes, and keeps count, so that a small file cannot become a large
 * tree.
 */
final class YamlComposer {
  private final ParserImpl events;
  private final String source;
  private final boolean lines;
  private final Map<String, Anchored> anchors = new HashMap<>();
  private int nodes;

  /** A node that carries an anchor; null while it is being read. */
  private record Anchored(@Nullable YamlNode node, int size) {}

  YamlComposer(String text, String source, boolean lines) {
    LoaderOptions options = new LoaderOptions();
    this.events = new ParserImpl(new StreamReader(text), options);
    this.source = source;
    this.lines = lines;
  }

  YamlNode document() {
    events.getEvent(); // stream start
    if (events.checkEvent(Event.ID.StreamEnd)) {
      throw new ScenarioException(
          Position.of(source), "", "an empty document", "a mapping of keys and values");
    }
    events.getEvent(); // document start
    YamlNode root = node(KeyPath.ROOT, 0);
    events.getEvent(); // document end
    if (!events.checkEvent(Event.ID.StreamEnd)) {
      throw refusal(
          position(events.peekEvent()),
          KeyPath.ROOT,
          "a second document",
          "one document in a file");
    }
    return root;
  }

  private YamlNode node(KeyPath path, int depth) {
    Event event = events.getEvent();
    Position position = position(event);
    if (event instanceof AliasEvent alias) {
      return resolve(alias, path, position);
    }
    NodeEvent start = (NodeEvent) event;
    String tag =
        start instanceof ScalarEvent scalar
            ? scalar.getTag()
            : ((CollectionStartEvent) start).getTag();
    if (tag != null) {
      throw refusal(
          position, path, "the tag " + CanonicalText.quoted(tag), "a value without a tag");
    }
    if (depth > YamlReader.MAX_DEPTH) {
      throw refusal(
          position, path, "more than " + YamlReader.MAX_DEPTH + " levels", "a flatter document");
    }
    int before = nodes;
    count(1, path, position);
    String anchor = start.getAnchor();
    if (anchor != null) {
      anchors.put(anchor, new Anchored(null, 0));
    }
    YamlNode node;
    if (start instanceof ScalarEvent scalar) {
      node =
          new YamlNode.Scalar(
              scalar.getValue(), scalar.getScalarStyle() == ScalarStyle.PLAIN, position);
    } else if (start instanceof SequenceStartEvent) {
      node = sequence(path, position, depth);
    } else {
      node = mapping(path, position, depth);
    }
    if (anchor != null) {
      anchors.put(anchor, new Anchored(node, nodes - before));
    }
    return node;
  }

  private YamlNode sequence(KeyPath path, Position position, int depth) {
    List<YamlNode> items = new ArrayList<>();
    while (!events.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(path.index(items.size()), depth + 1));
    }
    events.getEvent();
    return new YamlNode.Sequence(items, position);
  }

  private YamlNode mapping(KeyPath path, Position position, int depth) {
    Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
    while (!events.checkEvent(Event.ID.MappingEnd)) {
      Position at = position(events.peekEvent());
      if (!(node(path, depth + 1) instanceof YamlNode.Scalar key)) {
        throw refusal(at, path, "a list or mapping as a key", "a word as a key");
      }
      KeyPath child = path.child(key.text());
      if (key.plain() && key.text().equals("<<")) {
        throw refusal(at, child, "a merge key", "keys written out");
      }
      YamlNode.Entry earlier = entries.get(key.text());
      if (earlier != null) {
        String first =
            lines ? " (the first is in line " + earlier.key().position().line() + ")" : "";
        throw refusal(at, child, "the key a second time", "each key once" + first);
      }
      entries.put(key.text(), new YamlNode.Entry(key, node(child, depth + 1)));
    }
    events.getEvent();
    return new YamlNode.Mapping(new ArrayList<>(entries.values()), position);
  }

  private YamlNode resolve(AliasEvent alias, KeyPath path, Position position) {
    String name = "*" + alias.getAnchor();
    Anchored anchored = anchors.get(alias.getAnchor());
    if (anchored == null) {
      throw refusal(
          position,
          path,
          "the alias " + name + " without an anchor before it",
          "&" + alias.getAnchor() + " earlier");
    }
    if (anchored.node == null) {
      throw refusal(
          position,
          path,
          "the alias " + name + " inside its own anchor",
          "a value that does not contain itself");
    }
    count(anchored.size, path, position);
    return anchored.node;
  }

  private void count(int more, KeyPath path, Position position) {
    nodes += more;
    if (nodes > YamlReader.MAX_NODES) {
      throw refusal(
          position,
          path,
          "more than " + YamlReader.MAX_NODES + " values with all aliases replaced",
          "fewer");
    }
  }

  private static ScenarioException refusal(
      Position position, KeyPath path, String found, String expected) {
    return new ScenarioException(position, path.text(), found, expected);
  }

  private Position position(Event event) {
    Mark mark = event.getStartMark();
    return lines && mark != null
        ? new Position(source, mark.getLine() + 1, mark.getColumn() + 1)
        : Position.of(source);
  }
}
