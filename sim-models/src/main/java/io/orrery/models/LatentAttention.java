package io.orrery.models;

/**
 * Multi-head latent attention: keys and values of all heads are projected from one short vector per
 * token, and that vector is what the cache holds (DeepSeek-V2, arXiv 2405.04434, section 2.1). It
 * cannot be cut by heads, so every tensor-parallel slice holds all of it.
 *
 * @param queryRank width that queries are squeezed to, 0 if they are not
 * @param latentRank width of the cached vector
 * @param plainHeadDim width of a head's keys without position
 * @param rotaryHeadDim width of the rotary key that all heads share, cached beside the vector
 * @param valueHeadDim width of a head's values
 */
public record LatentAttention(
    int queryRank, int latentRank, int plainHeadDim, int rotaryHeadDim, int valueHeadDim) {

  /** Elements that one token leaves in the cache of one layer. */
  public int cachedElements() {
    return latentRank + rotaryHeadDim;
  }

  /** Width of a head's query and key. */
  public int headDim() {
    return plainHeadDim + rotaryHeadDim;
  }

  /** Parameters of the projections down, which every slice holds. */
  public long sharedParameters(int hiddenSize) {
    return (long) hiddenSize * (queryRank + cachedElements());
  }

  /** Parameters of the projections up and out of one head. */
  public long parametersPerHead(int hiddenSize) {
    long query = (long) (queryRank == 0 ? hiddenSize : queryRank) * headDim();
    long keyAndValue = (long) latentRank * (plainHeadDim + valueHeadDim);
    return query + keyAndValue + (long) valueHeadDim * hiddenSize;
  }
}
