import { Form } from 'antd'
import { useState } from 'react'
import { type Links, linkCalls, linkField } from '../../../contract/links.ts'
import { linksFrom } from '../../../contract/registry.ts'
import type { Resource } from '../../../contract/resource.ts'
import { invoke } from '../../session/request.ts'
import { useMayCode } from '../../session/session.ts'
import { useWords } from '../../words/words.ts'
import { useCall, useWrite } from '../api.ts'
import { RefsInput } from './RefsInput.tsx'

const quiet = { meta: { quiet: true } }
type Row = { Id: number; EnterpriseId?: unknown }
type Choice = { held: readonly number[]; chosen: readonly number[] }
type Choose = (choice: Choice) => void

/** The records that this one is linked with. */
const LinksInput = ({ of: l, row, chosen, choose }: { of: Links; row: Row | undefined; chosen: Choice | undefined; choose: Choose }) => {
  const t = useWords()
  const query = { [linkField(l.from)]: row?.Id, PageIndex: 1, PageSize: 1000 }
  const { data } = useCall(linkCalls(l).list, { query, of: [l.from.name, l.to.name], enabled: row !== undefined })
  const held = (row && data ? (data.Items as Row[]) : []).map(({ Id }) => Id)
  const label = t(`${l.from.name}.${linkField(l.to)}s`)
  return (
    <Form.Item label={label}>
      <RefsInput
        to={l.to}
        where={{ EnterpriseId: row?.EnterpriseId as number | undefined }}
        value={chosen?.chosen ?? held}
        disabled={row !== undefined && !data}
        aria-label={label}
        onChange={(ids) => choose({ held, chosen: ids })}
      />
    </Form.Item>
  )
}

/** Inputs for the links of a record, which are saved after it. */
export const useLinks = (r: Resource, row: Row | undefined) => {
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const { mutateAsync: save } = useWrite(
    [r.name],
    async (id: number) => {
      for (const l of linksFrom(r)) {
        const { held, chosen } = choices[l.path] ?? { held: [], chosen: [] }
        const [added, gone] = [chosen.filter((x) => !held.includes(x)), held.filter((x) => !chosen.includes(x))]
        const body = (ids: readonly number[]) => ({ body: { [linkField(l.from)]: id, [`${linkField(l.to)}s`]: ids } }) as never
        if (added.length) await invoke(linkCalls(l).add, body(added))
        if (gone.length) await invoke(linkCalls(l).remove, body(gone))
      }
    },
    quiet,
  )
  const may = useMayCode()
  const inputs = linksFrom(r)
    .filter(({ button = 'edit' }) => may(`${r.permission}.${button}`))
    .map((l) => (
      <LinksInput
        key={l.path}
        of={l}
        row={row}
        chosen={choices[l.path]}
        choose={(choice) => setChoices((old) => ({ ...old, [l.path]: choice }))}
      />
    ))
  return { inputs, save, changed: Object.keys(choices).length > 0 }
}
