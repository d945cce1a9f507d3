/** Shorter secrets are not masked: they occur in frames by chance. */
const shortest = 4

/** A copy of a frame with these texts replaced by asterisks. */
export const masked = (bytes: Buffer, secrets: readonly string[]): Buffer => {
  const shown = Buffer.from(bytes)
  for (const secret of secrets) {
    const wanted = Buffer.from(secret)
    if (wanted.length < shortest) continue
    for (let at = shown.indexOf(wanted); at >= 0; at = shown.indexOf(wanted, at + wanted.length)) shown.fill('*', at, at + wanted.length)
  }
  return shown
}
