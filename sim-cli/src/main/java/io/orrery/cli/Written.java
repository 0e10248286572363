package io.orrery.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The option names a file that the command writes. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@interface Written {}
