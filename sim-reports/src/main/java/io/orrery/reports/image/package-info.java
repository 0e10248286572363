/**
 * Charts as image files, SVG and PNG, in one theme: colours that colour-blind readers tell apart,
 * dashes and hatches for those who see none. Needs AWT, without a screen.
 */
@NullMarked
package io.orrery.reports.image;

import org.jspecify.annotations.NullMarked;
