import { Button, Form, type FormInstance } from 'antd'
import { type ComponentType, createElement, Fragment, type ReactNode, useId, useState } from 'react'
import type { Field } from '../../contract/field.ts'
import { nextOf } from '../../contract/moves.ts'
import { resourceNamed } from '../../contract/registry.ts'
import { type Change, type Draft, type Resource, writable } from '../../contract/resource.ts'
import { brokenRules } from '../../contract/rules.ts'
import type { Fault } from '../session/request.ts'
import { useSeesField } from '../session/session.ts'
import { useOwner } from '../session/useTenant.ts'
import { SidePanel } from '../shell/SidePanel.tsx'
import { Shape } from '../theme/State.tsx'
import { usePhone } from '../theme/useWidth.ts'
import { hasWords, lower, useWords } from '../words/words.ts'
import { type Shown, useSave } from './api.ts'
import { FieldInput } from './fields.tsx'
import { Conflict } from './form/Conflict.tsx'
import { FilledFields } from './form/FilledFields.tsx'
import { type Clash, clashes, type Values } from './form/merge.ts'
import { OnlyChoice } from './form/OnlyChoice.tsx'
import { useFormRefusal } from './form/refusal.tsx'
import { rules } from './form/rules.ts'
import { useLeaveGuard } from './form/useLeaveGuard.ts'
import { useLinks } from './form/useLinks.tsx'

/** Adapts a form to its values: hidden fields, and filters of pickers. */
export type Refinement = { hidden?: string[]; required?: string[]; where?: Record<string, Record<string, number | undefined>> }

export type FormProps<R extends Resource = Resource> = {
  of: R
  row?: Shown<R>
  /** Values given by the screen. The form does not show them. */
  fixed?: Record<string, string | number | null>
  /** Values that a new record begins with, in place of the defaults of its fields. */
  begin?: Record<string, unknown> | undefined
  refine?: (values: Values) => Refinement
  /** Inputs of json fields, which have no input of their own. */
  inputs?: Record<string, ComponentType<{ id?: string; value?: unknown; onChange?: (value: unknown) => void }>>
  /** Fields of the screen above the others. They go with a new record. */
  above?: (values: Values) => ReactNode
  /** Content below the fields that depends on the values. */
  below?: (values: Values, row: Values | undefined) => ReactNode
  onSaved?: (row: Shown<R>) => void
  onAdded?: (row: Shown<R>) => void
  close: () => void
  /** A part of the screen instead of a drawer, where every field is optional. */
  inline?: { disabled: boolean; begin: () => void; after?: ((section: string) => ReactNode) | undefined }
}

const startValues = (fields: [string, Field][], row: Values | undefined, given: Values) =>
  Object.fromEntries(fields.map(([name, f]) => [name, row ? row[name] : (given[name] ?? f.default ?? null)]))

const Optional = ({ label }: { label: ReactNode }) => (
  <>
    {label} <span className="form-optional">({useWords()('form.optional')})</span>
  </>
)
const markOptional = (label: ReactNode, { required }: { required: boolean }) => (required ? label : <Optional label={label} />)

const only = (values: Values, is: (name: string, value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => is(name, value)))
/** What is sent of a record that was there: what differs from `start`. */
const changeOf = ({ Id, UpdateStamp }: Values, start: Values, kept: Values) => ({
  ...only(kept, (name, value) => value !== start[name]),
  ...{ Id, UpdateStamp },
})

/** Of a choice with moves, the form offers those that are allowed. */
const offered = (f: Field, now: unknown): Field => (f.kind === 'choice' ? { ...f, of: nextOf(f, now) } : f)
const bySection = (fields: [string, Field][]) => Map.groupBy(fields, ([, f]) => f.section ?? '')

type SectionProps = Pick<FormProps, 'of' | 'inputs' | 'inline'> & {
  shown: [string, Field][]
  row: Values | undefined
  values: Values
  required: readonly string[]
  where: NonNullable<Refinement['where']>
  wide: boolean
}
const Sections = ({ of: r, inputs = {}, inline, shown, row, values, required, where, wide }: SectionProps) => {
  const t = useWords()
  const phone = usePhone()
  const warnings = new Map(brokenRules(r.warnings, { ...row, ...values }, Object.keys(r.fields)).map(({ field, rule }) => [field, rule]))
  return [...bySection(shown)].map(([section, members]) => (
    <fieldset key={section} className="form-section">
      {section && <legend>{t(`section.${section}`)}</legend>}
      <div className={inline ? 'form-two' : wide && !phone ? 'form-grid' : undefined}>
        {members.map(([name, f]) => (
          <Form.Item
            key={name}
            name={name}
            label={t(`${r.name}.${name}`)}
            tooltip={hasWords(`help.${r.name}.${name}`) ? t(`help.${r.name}.${name}`) : undefined}
            extra={warnings.has(name) && [<Shape key="shape" is="warning" />, ' ', t(`fault.field.${warnings.get(name)}`)]}
            rules={rules(f, `${r.name}.${name}`, Boolean(f.required) || required.includes(name), t)}
          >
            {inputs[name] ? (
              createElement(inputs[name])
            ) : (
              <FieldInput field={offered(f, row?.[name])} name={`${r.name}.${name}`} where={where[name]} />
            )}
          </Form.Item>
        ))}
      </div>
      {inline?.disabled === false && inline.after?.(section)}
    </fieldset>
  ))
}

type HelperProps = { shown: [string, Field][]; row: Values | undefined; start: Values; values: Values; form: FormInstance<Values> } & Pick<
  SectionProps,
  'of' | 'required' | 'where'
>
/** Chooses what there is no choice of, and fills in what a chosen record says. */
const Helpers = ({ of: r, form, shown, row, start, values, required, where }: HelperProps) =>
  shown.map(
    ([name, f]) =>
      f.kind === 'ref' && (
        <Fragment key={name}>
          {!row && (f.required || required.includes(name)) && values[name] == null && (
            <OnlyChoice to={resourceNamed(f.to)!} where={where[name]} choose={(id) => form.setFields([{ name, value: id }])} />
          )}
          {f.fills && values[name] !== start[name] && <FilledFields form={form} fields={r.fields} of={f} id={values[name]} />}
        </Fragment>
      ),
  )

type FrameProps = Pick<FormProps, 'inline'> & {
  title: string
  wide: boolean
  leave: () => void
  /** How many refusals there are. */
  count: ReactNode
  submit: ReactNode
  children: ReactNode
}
/** A drawer, or a part of the screen. */
const Frame = ({ inline, title, wide, leave, count, submit, children }: FrameProps) => {
  const t = useWords()
  if (inline)
    return (
      <>
        {children}
        <div className="form-save">
          {!inline.disabled && submit}
          {count}
        </div>
      </>
    )
  return (
    <SidePanel
      width={wide ? 840 : 440}
      title={title}
      onClose={leave}
      mask={{ closable: true }}
      footer={
        <div className="form-foot">
          {count}
          <Button onClick={leave}>{t('cancel')}</Button>
          {submit}
        </div>
      }
    >
      {children}
    </SidePanel>
  )
}

/** Creates a record or edits the given one. Errors from the server show at their fields. */
export const ResourceForm = <R extends Resource>({
  of: r,
  row: given,
  fixed = {},
  begin,
  refine,
  inputs = {},
  above,
  below,
  onSaved,
  onAdded,
  close,
  inline,
}: FormProps<R>) => {
  const t = useWords()
  const [form] = Form.useForm<Values>()
  const formId = `form-${useId().replaceAll(':', '')}`
  const save = useSave(r)
  const [note, setNote] = useState('')
  const refusal = useFormRefusal(form, save.error?.details.Current ? null : save.error, { note })
  const owner = useOwner(r)
  /** The row that the edit starts from. After a conflict, it is the newer one. */
  const [row, setRow] = useState<(Values & { Id: number }) | undefined>(given)
  const [clash, setClash] = useState<Clash[]>([])
  const sees = useSeesField()
  const fields = writable(r, row ? 'update' : 'create').filter(
    ([name, f]) => (f.kind !== 'json' || name in inputs) && !(name in fixed) && sees(f),
  )
  const start = startValues(fields, row, { ...begin, ...fixed })
  const values = { ...start, ...fixed, ...(Form.useWatch([], form) as Values | undefined) }
  const { hidden = [], required = [], where = {} } = refine?.({ ...row, ...values }) ?? {}
  const shown = fields.filter(([name]) => !hidden.includes(name))
  const wide = shown.length > 8 && !inline

  const links = useLinks(r, row)
  const isDirty = () => (form.isFieldsTouched() || links.changed) && !save.isSuccess
  const leave = useLeaveGuard({ isDirty, close })

  /** After a conflict, asks about all fields that the other person changed: they may affect this person's own edits. */
  const overtaken = (entered: Values, current: Values & { Id: number }) => {
    const found = clashes(Object.keys(start), start, entered, current)
    setRow(current)
    setClash(found)
    if (!found.length) setNote(t('conflict.same'))
  }

  const submit = (entered: Values) => {
    setNote('')
    const whole = Object.fromEntries(
      fields.map(([name, f]) => [name, hidden.includes(name) ? (f.required ? (start[name] ?? null) : null) : (entered[name] ?? null)]),
    )
    const kept = inline ? entered : { ...entered, ...whole }
    const body = row ? changeOf(row, start, kept) : { ...owner, ...only(kept, (_, v) => v !== null), ...fixed }
    save.mutate(body as Draft<R> | Change<R>, {
      onSuccess: async (saved) => {
        try {
          if (links.changed) await links.save(saved.Id)
        } catch (fault) {
          // The record is saved; the form now changes it.
          setRow(saved)
          return setNote((fault as Fault).message)
        }
        onSaved?.(saved)
        if (!row) onAdded?.(saved as Shown<R>)
        close()
      },
      onError: ({ details }) => details.Current && overtaken(kept, details.Current as Values & { Id: number }),
    })
  }

  const submitButton = (
    <Button type="primary" htmlType="submit" form={formId} loading={save.isPending} disabled={clash.length > 0}>
      {t('save')}
    </Button>
  )
  const title = row ? t('form.edit', { title: String(row[r.title] ?? '') }) : t('list.add', { thing: lower(t(r.name)) })
  return (
    <Frame {...{ inline, title, wide, leave }} count={refusal.count} submit={submitButton}>
      <Form
        form={form}
        name={formId}
        layout="vertical"
        requiredMark={inline ? false : markOptional}
        disabled={inline?.disabled ?? false}
        className={inline ? 'form-page' : ''}
        onValuesChange={inline?.begin}
        initialValues={start}
        onFinish={submit}
        onFinishFailed={refusal.look}
      >
        {refusal.summary}
        {clash.length > 0 && (
          <Conflict
            key={String(row?.UpdateStamp)}
            of={r}
            clashes={clash}
            onChosen={(chosen) => {
              form.setFieldsValue(chosen)
              setClash([])
            }}
          />
        )}
        {!row && above?.(values)}
        <Sections of={r} {...{ inputs, inline, shown, row, values, required, where, wide }} />
        <Helpers of={r} {...{ form, shown, row, start, values, required, where }} />
        {links.inputs}
        {below?.(values, row)}
      </Form>
    </Frame>
  )
}
