/** A batch of lines a millisecond apart, with precision ms. */
export const batchOf = (lines: number, fields: number, from: number) => {
  const values = (n: number) => Array.from({ length: fields }, (_, i) => `f${i}=${((n * 13 + i * 7) % 2000) / 100}`).join(',')
  return Array.from({ length: lines }, (_, n) => `plant,line=1 ${values(from + n)} ${from + n}`).join('\n')
}
