import { State } from '../../../../console/theme/State.tsx'
import { useWords } from '../../../../console/words/words.ts'

const conditions = ['normal', 'normal', 'alarm', 'warning'] as const

/** How a run ended; what went well needs no colour. */
export const Outcome = ({ of, result }: { of: string; result: number | null }) => {
  const t = useWords()
  if (result === null) return null
  const text = t(`${of}.${result}`)
  return <State is={conditions[result] ?? 'normal'}>{text}</State>
}
