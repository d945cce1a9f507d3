export type Label = { SN: string; Code: string }
let label: Label | undefined

/**
 * Reads serial number and code from the fragment of a label's link and removes them from the address, to keep the code out of the
 * browser history. They stay in memory until the form needs them, possibly after a sign-in.
 */
export const readLabel = () => {
  const given = new URLSearchParams(location.hash.slice(1))
  const [SN, Code] = [given.get('sn'), given.get('code')]
  if (!SN || !Code) return
  label = { SN: SN.slice(0, 32), Code: Code.slice(0, 8) }
  history.replaceState(history.state, '', location.pathname + location.search)
}

export const takeLabel = () => {
  readLabel()
  const taken = label
  label = undefined
  return taken
}
