import { App, Skeleton } from 'antd'
import { type ReactNode, useMemo, useState } from 'react'
import { text } from '../../contract/field.ts'
import { resource } from '../../contract/resource.ts'
import type { Settings } from '../../contract/settings.ts'
import { useMay } from '../session/session.ts'
import { Page } from '../shell/Page.tsx'
import { useWords } from '../words/words.ts'
import { type Shown, useSettings } from './api.ts'
import { Failure } from './Empty.tsx'
import { HeldSecret, NewSecret } from './form/SecretInput.tsx'
import { type FormProps, ResourceForm } from './ResourceForm.tsx'

type Values = Record<string, unknown>
export type SettingsOptions = Pick<FormProps, 'inputs' | 'refine'> & {
  /** Below each section, for people who may edit. */
  after?: (section: string) => ReactNode
  onSaved?: () => void
}

/** Settings as a record: its secrets are fields, each in the section of what it is bound to. */
const recordOf = ({ name, path, permission, fields, secrets }: Settings) => {
  const secret = ([at]: readonly string[]) => text({ max: 300, section: fields[at ?? '']?.section ?? '' })
  const ofSecrets = Object.fromEntries(Object.entries(secrets).map(([name, bound]) => [name, secret(bound)]))
  return resource(name, { path, permission, title: '', fields: { ...fields, ...ofSecrets } })
}

/** The form of settings: fields by section, and secrets, which can be replaced but not read. */
export const SettingsForm = ({ of: s, inputs, after, onSaved, ...options }: SettingsOptions & { of: Settings }) => {
  const t = useWords()
  const { message } = App.useApp()
  const mayEdit = useMay(`${s.permission}.edit`)
  const { data, error, refetch } = useSettings(s)
  /** What others save shows until this person begins to change it. */
  const [begun, setBegun] = useState<Values>()
  const [resets, setResets] = useState(0)
  const record = useMemo(() => recordOf(s), [s])
  if (error && !data) return <Failure fault={error} retry={() => refetch()} />
  const row = begun ?? (data as Values | undefined)
  if (!row) return <Skeleton active />
  const ofSecrets = Object.fromEntries(Object.keys(s.secrets).map((name) => [name, row[`Has${name}`] === 1 ? HeldSecret : NewSecret]))
  return (
    <ResourceForm
      key={`${s.name} ${row.UpdateStamp} ${resets}`}
      of={record}
      row={row as Shown<typeof record>}
      inline={{ disabled: !mayEdit, begin: () => setBegun(row), after }}
      inputs={{ ...inputs, ...ofSecrets }}
      {...options}
      onSaved={() => {
        message.success(t('form.saved'))
        onSaved?.()
      }}
      close={() => {
        setBegun(undefined)
        setResets((n) => n + 1)
      }}
    />
  )
}

/** A screen that is the form of settings. */
export const settingsScreen = (of: Settings, options: SettingsOptions) => () => {
  const t = useWords()
  return (
    <Page title={t(`menu.${of.permission}`)}>
      <SettingsForm of={of} {...options} />
    </Page>
  )
}
