import { useWords } from '../../../../console/words/words.ts'

/** Says what has changed between two drawings. */
export const useChanges = () => {
  const t = useWords()
  return (changes: readonly { Kind: string; Change: string; Count: number }[]) =>
    changes.map(({ Kind, Change, Count }) => t(`scene.change.${Change}`, { count: Count, what: t(`scene.kind.${Kind}`) })).join(', ')
}
