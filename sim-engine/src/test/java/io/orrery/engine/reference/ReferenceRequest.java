package io.orrery.engine.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/** A request as one worker's scheduler knows it. Counts are tokens unless they say otherwise. */
final class ReferenceRequest {
  final String id;
  final int row;
  final int priority;
  final double arrival;
  final int promptTokens;

  /** Output tokens after which it ends at the latest. */
  final int maxOutputTokens;

  /** The output token that is a stop token, counted from 1; 0 for none. */
  final int stopToken;

  /** Leading blocks that its first look-up may find at most. */
  final int firstLookUpBlocks;

  final boolean skipsCacheRead;
  final IntToLongFunction keyOfBlock;

  int outputs;

  /** Tokens drafted for its next step. */
  int drafted;

  /** Accepted tokens that are expected and have not come yet. */
  double owed;

  int computed;

  /** Outputs that scheduled steps will yield and that are not known yet (asynchronous only). */
  int placeholders;

  List<ReferenceCache.Block> blocks = new ArrayList<>();
  int keyedBlocks;

  /** Blocks for the state of recurrent layers. */
  List<ReferenceCache.Block> stateBlocks = new ArrayList<>();

  /** Tokens that its last look-up found, be they of use or not. */
  int residentTokens;

  boolean running;
  boolean finished;
  int preemptions;

  ReferenceRequest(
      String id,
      int row,
      int priority,
      double arrival,
      int promptTokens,
      int maxOutputTokens,
      int stopToken,
      int firstLookUpBlocks,
      boolean skipsCacheRead,
      IntToLongFunction keyOfBlock) {
    this.id = id;
    this.row = row;
    this.priority = priority;
    this.arrival = arrival;
    this.promptTokens = promptTokens;
    this.maxOutputTokens = maxOutputTokens;
    this.stopToken = stopToken;
    this.firstLookUpBlocks = firstLookUpBlocks;
    this.skipsCacheRead = skipsCacheRead;
    this.keyOfBlock = keyOfBlock;
  }

  int tokens() {
    return promptTokens + outputs;
  }

  @Override
  public String toString() {
    return id;
  }
}
