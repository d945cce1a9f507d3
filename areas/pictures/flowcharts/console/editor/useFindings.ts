import { useMemo } from 'react'
import { useSettled } from '../../../../../console/theme/useSettled.ts'
import { useWords } from '../../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { itemsOf } from './changes.ts'
import { adviceOn } from './checks.ts'
import { errorsOf, knownOf } from './findings.ts'
import { itemName } from './itemName.ts'
import type { Points } from './Source.tsx'
import type { Editor } from './useEditor.ts'

type Needs = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  /** The points of the picture's project; undefined until loaded. */
  points: Points | undefined
  /** Ids of points that existed when the picture was opened, including those of other projects. */
  opened: readonly number[]
}
/** Debounced check results: errors and advice. */
export const useFindings = ({ editor, symbols, points, opened }: Needs) => {
  const t = useWords()
  const scene = useSettled(editor.scene)
  const known = useMemo(() => points && knownOf(points, opened), [points, opened])
  const findings = useMemo(
    () => [...errorsOf(scene, symbols, known), ...adviceOn(scene, (item) => itemName(item, t))],
    [scene, symbols, known, t],
  )
  const nameOf = (id: string) => {
    const item = itemsOf(scene).get(id)
    return item ? itemName(item, t) : id
  }
  return { findings, nameOf }
}
