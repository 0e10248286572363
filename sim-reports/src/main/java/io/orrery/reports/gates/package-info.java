/** Gates: what must hold of a run, by itself or against a baseline that is kept with the code. */
@NullMarked
package io.orrery.reports.gates;

import org.jspecify.annotations.NullMarked;
