import { Form, Select } from 'antd'
import { useState } from 'react'
import { useRows } from '../../../../console/kernel/api.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import { ItemsInput } from '../../job-sheets/console/ItemsInput.tsx'
import { type Item, most } from '../../job-sheets/contract.ts'
import { mtnKnowledgeBase } from '../../knowledge-base/contract.ts'
import { mtnUpKeepPlan } from '../../upkeep/contract.ts'

type Template = { value: string; label: string; items: Item[] }
type Source = { Id: number; Items?: unknown }
const templatesOf = <R extends Source>(kind: string, rows: readonly R[] | undefined, label: (row: R) => string): Template[] =>
  (rows ?? []).flatMap((row) => {
    const items = (row.Items ?? []) as Item[]
    return items.length ? [{ value: `${kind} ${row.Id}`, label: label(row), items }] : []
  })

/** Copies the items of an article or of one of the project's upkeep plans. */
const From = ({ project, take }: { project: number | undefined; take: (items: Item[]) => void }) => {
  const t = useWords()
  const [search, setSearch] = useState('')
  const query = { PageIndex: 1, PageSize: 50, Search: search }
  const [mayArticles, mayPlans] = [useMay(mtnKnowledgeBase.permission), useMay(mtnUpKeepPlan.permission)]
  const { data: articles } = useRows(mtnKnowledgeBase, query, { enabled: mayArticles })
  const { data: plans } = useRows(mtnUpKeepPlan, { ...query, ProjectId: project }, { enabled: mayPlans && project !== undefined })
  const templates = [
    ...templatesOf('article', articles?.Items, ({ Title }) => Title),
    ...templatesOf('plan', plans?.Items, ({ PlanName }) => PlanName),
  ]
  if (!templates.length && !search) return null
  return (
    <Select
      showSearch={{ filterOption: false, onSearch: setSearch }}
      value={null}
      placeholder={t('checklist.from')}
      aria-label={t('checklist.from')}
      options={templates.map(({ value, label }) => ({ value, label }))}
      onChange={(chosen: string | null) => {
        take(templates.find(({ value }) => value === chosen)?.items ?? [])
        setSearch('')
      }}
      style={{ width: '100%', marginBottom: 8 }}
    />
  )
}

type Props = { id?: string; value?: unknown; onChange?: (value: unknown) => void; project?: number | undefined }
/** The checklist of an order: entered by its planner or copied. */
export const OrderItems = ({ id, value, onChange, project: given }: Props) => {
  const ofForm = Form.useWatch<number | null>('ProjectId', { preserve: true }) ?? undefined
  const project = given ?? ofForm
  const items = (value as Item[] | null) ?? []
  return (
    <>
      <From project={project} take={(more) => onChange?.([...items, ...more].slice(0, most.items))} />
      <ItemsInput {...(id && { id })} value={items} project={project} {...(onChange && { onChange })} />
    </>
  )
}
