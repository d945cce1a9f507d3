import { App, Form } from 'antd'
import { useState } from 'react'
import { actCall, isDone, isPossible } from '../../contract/acts.ts'
import type { Act, Resource } from '../../contract/resource.ts'
import { invoke } from '../session/request.ts'
import { useMayDo, useSeesField } from '../session/session.ts'
import { useConfirm } from '../shell/useConfirm.ts'
import { hasWords, useWords } from '../words/words.ts'
import { iconOf } from './actionIcons.tsx'
import { type Shown, useWrite } from './api.ts'
import { clientKey } from './clientKey.ts'
import { FieldInput } from './fields.tsx'
import { FormDialog } from './form/FormDialog.tsx'
import { rules } from './form/rules.ts'
import type { Bulk } from './list/RowTable.tsx'
import type { Action } from './RowActions.tsx'

type Row = { Id: number } & Record<string, unknown>
type Given = { name: string; rows: Row[]; values?: Record<string, unknown>; key?: string }
/** What the screen does with the answer of an act, by its name. */
type OnActed<R extends Resource> = { [act: string]: ((answer: Shown<R>, row: Shown<R>) => void) | undefined }
export type ActProps<R extends Resource> = {
  onActed?: OnActed<R> | undefined
  /** Whether the screen offers an act for a row, beside what the act says itself. */
  actsOn?: ((row: Shown<R>, act: string) => boolean) | undefined
}

/** What a question can name of a record. */
const texts = (row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, v]) => typeof v === 'string' || typeof v === 'number')) as Record<
    string,
    string | number
  >

const bodyOf = ({ many, once }: Act, { rows, values, key }: Given) => ({
  ...values,
  ...(once && { ClientKey: key ?? clientKey() }),
  ...(many ? { Ids: rows.map((row) => row.Id) } : { Id: rows[0]!.Id }),
})

const FieldsDialog = ({ of: r, given, acting, act, close }: FieldsDialogProps) => {
  const t = useWords()
  const sees = useSeesField()
  const fields = Object.entries(r.acts![given.name]!.fields ?? {}).filter(([, f]) => sees(f))
  // A field of the record itself begins with its value.
  const start = Object.fromEntries(fields.map(([name, f]) => [name, (r.fields[name] === f ? given.rows[0]![name] : f.default) ?? null]))
  return (
    <FormDialog<Record<string, unknown>>
      title={t(`act.${r.name}.${given.name}`)}
      okText={t(`act.${r.name}.${given.name}`)}
      start={start}
      requiredMark
      sending={acting}
      submit={(values) => act({ ...given, values }, close)}
      close={close}
    >
      {fields.map(([name, f]) => (
        <Form.Item key={name} name={name} label={t(`${r.name}.${name}`)} rules={rules(f, `${r.name}.${name}`, Boolean(f.required), t)}>
          <FieldInput field={f} name={`${r.name}.${name}`} />
        </Form.Item>
      ))}
    </FormDialog>
  )
}
type Acting = ReturnType<typeof useActing>
type FieldsDialogProps = { of: Resource; given: Given; acting: Acting; act: (given: Given, done: () => void) => void; close: () => void }

const useActing = (r: Resource) =>
  useWrite(
    [r.name, ...Object.values(r.acts ?? {}).flatMap(({ touches = [] }) => touches)],
    (given: Given) => invoke(actCall(r, given.name), { body: bodyOf(r.acts![given.name]!, given) as never }) as Promise<Row>,
  )

/** The acts of a resource as row actions and bulk actions, as far as the person may do them and the record allows it. */
export const useActs = <R extends Resource>(
  r: R,
  titleOf: (row: Shown<R>) => string,
  { onActed = {}, actsOn = () => true }: ActProps<R> = {},
) => {
  const t = useWords()
  const may = useMayDo()
  const confirm = useConfirm()
  const { message } = App.useApp()
  const acting = useActing(r)
  const [asking, ask] = useState<{ given: Given; done: () => void }>()
  const acts = Object.entries(r.acts ?? {}).filter(([, act]) => may(r, act.button))
  const act = (given: Given, done = () => {}) =>
    acting.mutateAsync(given).then((answer) => {
      const [row] = given.rows as Shown<R>[]
      onActed[given.name]?.(answer as Shown<R>, row!)
      const word = `done.${r.name}.${given.name}`
      if (hasWords(word)) message.success(t(word, { title: titleOf(row!), count: given.rows.length }))
      done()
    })
  const begin = ([name, { asks, danger, fields, once }]: [string, Act], rows: Shown<R>[], done = () => {}) => {
    const given = { name, rows }
    if (fields) return ask({ given: once ? { ...given, key: clientKey() } : given, done })
    if (!asks && !danger) return void act(given, done).catch(() => undefined)
    const label = t(`act.${r.name}.${name}`)
    const [row] = rows as [Shown<R>]
    const one = { ...texts(row), title: titleOf(row) }
    confirm({
      title: rows.length === 1 ? t(`ask.${r.name}.${name}`, one) : t('act.askMany', { act: label, count: rows.length }),
      content: t(`ask.${r.name}.${name}.text`, one),
      okText: label,
      danger: danger ?? false,
      run: () => act(given, done),
    })
  }
  const buttonOf = ([name, { danger }]: [string, Act]) => ({
    ...{ key: name, label: t(`act.${r.name}.${name}`), icon: iconOf(name), danger: danger ?? false },
  })
  const actionsOf = (row: Shown<R>): Action[] =>
    acts
      .filter(([name, act]) => isPossible(r, act, row) && !isDone(act, row) && actsOn(row, name))
      .map((entry) => ({ ...buttonOf(entry), run: () => begin(entry, [row]) }))
  const bulk: Bulk<Shown<R>>[] = acts
    .filter(([, { many }]) => many)
    .map((entry) => ({ ...buttonOf(entry), run: (rows, done) => begin(entry, rows, done) }))
  const dialog = asking && (
    <FieldsDialog
      of={r}
      given={asking.given}
      acting={acting}
      act={(given, close) =>
        void act(given, () => {
          asking.done()
          close()
        }).catch(() => undefined)
      }
      close={() => ask(undefined)}
    />
  )
  return { actionsOf, bulk, dialog, any: acts.length > 0 }
}
