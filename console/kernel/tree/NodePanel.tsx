import { Button, Space } from 'antd'
import type { ComponentType } from 'react'
import type { Resource } from '../../../contract/resource.ts'
import { Facts } from '../../theme/Facts.tsx'
import { lower, useWords } from '../../words/words.ts'
import { Cell } from '../fields.tsx'
import type { TreeRow } from './tree.ts'

type Verb = 'add' | 'rename' | 'move' | 'edit' | 'remove'
type Props = {
  of: Resource
  row: TreeRow
  hidden: string[]
  beside?: ComponentType<{ id: number }> | undefined
  actions: Record<Verb, (() => void) | undefined>
}

/** The selected record of a tree: actions, fields, and the area's details. */
export const NodePanel = ({ of: r, row, hidden, beside: Beside, actions }: Props) => {
  const t = useWords()
  const words: Record<Verb, string> = {
    add: t('tree.addBelow', { thing: lower(t(r.name)) }),
    rename: t('tree.rename'),
    move: t('tree.move'),
    edit: t('button.edit'),
    remove: t('button.remove'),
  }
  const verbs = (Object.keys(words) as Verb[]).filter((verb) => actions[verb])
  return (
    <div className="stack">
      <h2>{String(row[r.title])}</h2>
      {verbs.length > 0 && (
        <Space wrap>
          {verbs.map((verb) => (
            <Button key={verb} size="small" danger={verb === 'remove'} onClick={actions[verb]}>
              {words[verb]}
            </Button>
          ))}
        </Space>
      )}
      <Facts
        lines
        of={Object.keys(r.fields)
          .filter((name) => !hidden.includes(name))
          .map((key) => ({ key, label: t(`${r.name}.${key}`), value: <Cell of={r} field={key} row={row} /> }))}
      />
      {Beside && <Beside key={row.Id} id={row.Id} />}
    </div>
  )
}
