package io.orrery.scenarios;

import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Position;
import io.orrery.scenarios.text.Problems;
import io.orrery.scenarios.text.ScenarioException;
import io.orrery.scenarios.text.YamlNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a scenario, read once, of which any number of runs can be made: its variants, or
 * those under further settings, which stand between a variant and the command line. May be shared
 * between threads.
 */
public final class ScenarioLayers {
  private final String name;
  private final Position document;
  private final Path directory;
  private final @Nullable YamlNode root;
  private final List<Assignment> base;
  private final List<Assignment> file;
  private final Map<String, List<Assignment>> variants;
  private final List<Assignment> top;

  /** What each variant is below further layers, to tell which item of a list a name means. */
  private final Map<String, Overlay> below = new LinkedHashMap<>();

  private ScenarioLayers(
      String name,
      Position document,
      Path directory,
      @Nullable YamlNode root,
      List<Assignment> base,
      List<Assignment> file,
      Map<String, List<Assignment>> variants,
      List<Assignment> top) {
    this.name = name;
    this.document = document;
    this.directory = directory;
    this.root = root;
    this.base = base;
    this.file = file;
    this.variants = variants;
    this.top = top;
    variants.forEach((variant, layer) -> below.put(variant, below(layer, new Problems())));
  }

  static ScenarioLayers of(
      @Nullable YamlNode root,
      String source,
      Path directory,
      String name,
      CommandLineSettings commandLine) {
    Problems problems = new Problems();
    LayerReader fileReader = new LayerReader(at -> Origin.ofFile(at, directory), problems);
    Map<String, List<Assignment>> variants = new LinkedHashMap<>();
    if (root != null) {
      fileReader.document(root);
      YamlNode written = entry(root, "variants");
      if (written != null) {
        for (VariantReader.Written variant : new VariantReader(directory, problems).read(written)) {
          variants.put(variant.name(), variant.layer());
        }
      }
    }
    if (variants.isEmpty()) {
      variants.put(name, List.of());
    }
    List<Assignment> top = commandLine.layer(problems);
    problems.throwIfAny();
    return new ScenarioLayers(
        name,
        Position.of(source),
        directory,
        root,
        commandLine.base(),
        fileReader.assignments(),
        variants,
        top);
  }

  private static @Nullable YamlNode entry(YamlNode root, String key) {
    if (root instanceof YamlNode.Mapping mapping) {
      for (YamlNode.Entry entry : mapping.entries()) {
        if (entry.key().text().equals(key)) {
          return entry.value();
        }
      }
    }
    return null;
  }

  /** The scenario's name. */
  public String name() {
    return name;
  }

  /** Where the scenario as a whole is blamed. */
  public Position document() {
    return document;
  }

  /** The names of the variants, in the order of the file; at least one. */
  public List<String> variantNames() {
    return List.copyOf(variants.keySet());
  }

  /** What stands under a key of the document itself, such as {@code sweep}. */
  public Optional<YamlNode> section(String key) {
    return root == null ? Optional.empty() : Optional.ofNullable(entry(root, key));
  }

  /**
   * A further layer, checked as a variant's {@code set} is.
   *
   * @param set dotted paths and their values
   * @param problems takes what is wrong, the override of a key that the command line sets included,
   *     and a key that is set twice, under whichever of its names
   */
  public Layer layer(List<YamlNode.Entry> set, Problems problems) {
    List<Assignment> assignments = new ArrayList<>();
    WrittenKeys written = WrittenKeys.NONE;
    for (YamlNode.Entry entry : set) {
      LayerReader reader = new LayerReader(at -> Origin.ofFile(at, directory), problems);
      reader.override(entry.key().text(), entry.value(), entry.key().position());
      requireFree(reader.assignments(), entry, problems);
      WrittenKeys more = WrittenKeys.of(reader.assignments(), below.values());
      for (KeyPath path : more.clashes(written)) {
        problems.add(
            entry.key().position(),
            entry.key().text(),
            path.text() + " in two places",
            "each key in one");
      }
      written = written.and(more);
      assignments.addAll(reader.assignments());
    }
    Overlay first = below.values().iterator().next();
    return new Layer(assignments, written, WrittenValues.of(assignments, first));
  }

  private void requireFree(List<Assignment> layer, YamlNode.Entry entry, Problems problems) {
    for (Assignment above : top) {
      if (isWritten(above, layer, below.values())) {
        String option = above instanceof Assignment.Put put ? put.origin().text() : "--set";
        problems.add(
            entry.key().position(),
            entry.key().text(),
            "a key that " + option + " sets",
            "a key that is left free");
      }
    }
  }

  /** Whether what stands above a layer takes away any of it. */
  private static boolean isWritten(
      Assignment above, List<Assignment> layer, Collection<Overlay> overlays) {
    return !WrittenKeys.of(List.of(above), overlays)
        .clashes(WrittenKeys.of(layer, overlays))
        .isEmpty();
  }

  /** Settings above a variant's and below the command line's. */
  public static final class Layer {
    private final List<Assignment> assignments;
    private final WrittenKeys written;
    private final WrittenValues values;

    private Layer(List<Assignment> assignments, WrittenKeys written, WrittenValues values) {
      this.assignments = List.copyOf(assignments);
      this.written = written;
      this.values = values;
    }

    /** The keys that it writes, whatever names they were written under. */
    public WrittenKeys written() {
      return written;
    }

    /**
     * What it writes, however it was written, with lists by their names under the first variant.
     */
    public WrittenValues values() {
      return values;
    }
  }

  /**
   * A variant under further settings.
   *
   * @param variant one of {@link #variantNames()}
   * @param newName what it is called then
   * @param layers the lowest first
   * @throws ScenarioException with every problem found, if there is any
   */
  public Variant variant(String variant, String newName, List<Layer> layers) {
    Problems problems = new Problems();
    List<Assignment> own = variants.get(variant);
    if (own == null) {
      throw new IllegalArgumentException("no variant " + variant);
    }
    Variant made = resolve(newName, own, layers, new LinkedHashMap<>(), problems);
    problems.throwIfAny();
    if (made == null) {
      throw new IllegalStateException("neither a variant nor a problem");
    }
    return made;
  }

  /** All variants. */
  Scenario scenario() {
    Problems problems = new Problems();
    List<Variant> made = new ArrayList<>();
    Map<String, Overlay> presets = new LinkedHashMap<>();
    variants.forEach(
        (variant, layer) -> {
          Variant one = resolve(variant, layer, List.of(), presets, problems);
          if (one != null) {
            made.add(one);
          }
        });
    problems.throwIfAny();
    return new Scenario(name, made, notes());
  }

  /** A run's configuration; null where problems were found, now or before. */
  private @Nullable Variant resolve(
      String newName,
      List<Assignment> variant,
      List<Layer> layers,
      Map<String, Overlay> presets,
      Problems problems) {
    Overlay overlay = below(variant, problems);
    // As one layer: whoever chooses a policy drops parameters below, not those written beside it.
    overlay.apply(layers.stream().flatMap(layer -> layer.assignments.stream()).toList(), problems);
    overlay.apply(top, problems);
    EffectiveConfig config = Resolver.resolve(overlay, presets, document, problems);
    ScenarioRules.check(config, document, problems);
    return problems.isEmpty()
        ? new Variant(newName, config, new SpecReader(config).scenario())
        : null;
  }

  private Overlay below(List<Assignment> variant, Problems problems) {
    Overlay overlay = new Overlay();
    overlay.apply(base, problems);
    overlay.apply(file, problems);
    overlay.apply(variant, problems);
    return overlay;
  }

  /** The command line beats variants; where that takes away what a variant is about, say so. */
  private List<String> notes() {
    Set<String> notes = new LinkedHashSet<>();
    for (Assignment assignment : top) {
      if (assignment instanceof Assignment.Put put) {
        List<String> names = new ArrayList<>();
        variants.forEach(
            (variant, layer) -> {
              if (isWritten(put, layer, overlaysOf(variant))) {
                names.add(variant);
              }
            });
        if (!names.isEmpty()) {
          String option = put.origin().text() + " " + put.path().text();
          notes.add(option + " overrides what the variants set: " + String.join(", ", names) + ".");
        }
      }
    }
    return new ArrayList<>(notes);
  }

  private List<Overlay> overlaysOf(String variant) {
    Overlay overlay = below.get(variant);
    return overlay == null ? List.of() : List.of(overlay);
  }
}
