import { Button, Space } from 'antd'
import { useState } from 'react'
import { Cell } from '../../../../console/kernel/fields.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import type { Resource } from '../../../../contract/resource.ts'
import type { usersCall } from '../contract.ts'
import { NodeUsers } from './NodeUsers.tsx'
import type { TreeRow } from './tree.ts'

type Verb = 'add' | 'rename' | 'move' | 'edit' | 'remove'
type Props = {
  of: Resource
  row: TreeRow
  hidden: string[]
  users?: ReturnType<typeof usersCall>
  actions: Record<Verb, (() => void) | undefined>
}

/** The chosen record of a tree: what can be done with it, its fields and its people. */
export const NodePanel = ({ of: r, row, hidden, users, actions }: Props) => {
  const t = useWords()
  const [page, setPage] = useState({ id: row.Id, index: 1 })
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
      <dl className="facts facts-one">
        {Object.keys(r.fields)
          .filter((name) => !hidden.includes(name))
          .map((name) => (
            <div key={name}>
              <dt>{t(`${r.name}.${name}`)}</dt>
              <dd>
                <Cell of={r} field={name} row={row} />
              </dd>
            </div>
          ))}
      </dl>
      {users && (
        <NodeUsers call={users} id={row.Id} page={page.id === row.Id ? page.index : 1} turn={(index) => setPage({ id: row.Id, index })} />
      )}
    </div>
  )
}
