package io.orrery.scenarios;

import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Value;

/** One thing that a layer does to the layers below it. */
sealed interface Assignment {

  /** Gives a key a value. A step {@code [NAME]} in the path is an item of a list, named. */
  record Put(KeyPath path, Value value, Origin origin) implements Assignment {}

  /** Replaces a list: what lower layers put into it goes, and it has so many items from now on. */
  record ReplaceList(KeyPath path, int items) implements Assignment {}
}
