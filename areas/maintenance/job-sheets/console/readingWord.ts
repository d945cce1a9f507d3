const words = ['good', 'uncertain', 'timeout', 'exception', 'notConfigured'] as const
/** The word of a reading's quality. */
export const readingWordOf = (quality: number) => `reading.${words[quality] ?? 'exception'}`
