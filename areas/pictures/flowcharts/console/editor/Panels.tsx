import { Segmented } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { errorsOf, knownOf } from './findings.ts'
import { Outline } from './Outline.tsx'
import { Properties } from './Properties.tsx'
import type { Points } from './Source.tsx'
import type { Editor } from './useEditor.ts'

const panels = ['properties', 'outline'] as const
type Props = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  /** Of the picture's project; undefined until they are loaded. */
  points: Points | undefined
  /** Ids of points that were there when the picture was opened, also of other projects. */
  opened: readonly number[]
}
/** Beside the sheet: what is selected, or everything there is. */
export const Panels = ({ editor, symbols, points, opened }: Props) => {
  const t = useWords()
  const [panel, setPanel] = useState<(typeof panels)[number]>('properties')
  const scene = useDeferredValue(editor.scene)
  const findings = useMemo(() => errorsOf(scene, symbols, points && knownOf(points, opened)), [scene, symbols, points, opened])
  const label = (name: (typeof panels)[number]) =>
    name === 'outline' && findings.length ? `${t('edit.outline')} (${findings.length})` : t(`edit.${name}`)
  return (
    <aside className="edit-properties" aria-label={t(`edit.${panel}`)}>
      <Segmented
        block
        size="small"
        aria-label={t('edit.panels')}
        value={panel}
        options={panels.map((value) => ({ value, label: label(value) }))}
        onChange={setPanel}
      />
      {panel === 'properties' && <Properties editor={editor} symbols={symbols} points={points ?? []} />}
      {panel === 'outline' && <Outline editor={editor} findings={findings} />}
    </aside>
  )
}
