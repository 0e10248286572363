package io.orrery.scenarios;

import io.orrery.scenarios.text.KeyPath;
import io.orrery.scenarios.text.Value;

/** A key, its value, and who gave it. */
public record Setting(KeyPath path, Value value, Origin origin) {}
