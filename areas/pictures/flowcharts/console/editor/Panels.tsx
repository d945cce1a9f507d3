import { Segmented } from 'antd'
import { useState } from 'react'
import { useWords } from '../../../../../console/words/words.ts'
import type { PictureSymbol } from '../../../../../contract/picture/symbol.ts'
import { CheckList } from './CheckList.tsx'
import { Outline } from './Outline.tsx'
import { Properties } from './Properties.tsx'
import type { Points } from './Source.tsx'
import type { Editor } from './useEditor.ts'
import type { useFindings } from './useFindings.ts'

const panels = ['properties', 'outline', 'checks'] as const
type Props = {
  editor: Editor
  symbols: ReadonlyMap<string, PictureSymbol>
  points: Points
  project: number
  checked: ReturnType<typeof useFindings>
  /** Selects an item and brings it into view. */
  lead: (item: string) => void
  replace: () => void
}
/** Panels next to the sheet: properties, outline, and findings. */
export const Panels = ({ editor, symbols, points, project, checked, lead, replace }: Props) => {
  const t = useWords()
  const [panel, setPanel] = useState<(typeof panels)[number]>('properties')
  const { findings } = checked
  const label = (name: (typeof panels)[number]) =>
    name === 'checks' && findings.length ? `${t('edit.checks')} (${findings.length})` : t(`edit.${name}`)
  return (
    <aside className="edit-properties" aria-label={t(`edit.${panel}`)}>
      <Segmented
        className="edit-panels"
        size="small"
        aria-label={t('edit.panels')}
        value={panel}
        options={panels.map((value) => ({ value, label: label(value) }))}
        onChange={setPanel}
      />
      {panel === 'properties' && <Properties editor={editor} symbols={symbols} points={points} project={project} replace={replace} />}
      {panel === 'outline' && <Outline editor={editor} findings={findings} />}
      {panel === 'checks' && <CheckList {...checked} choose={lead} />}
    </aside>
  )
}
