import { DeleteOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import { alarmCode } from '../../areas/alarms/alarm-plans/contract.ts'
import { point } from '../../areas/configuration/points/contract.ts'
import { post } from '../../areas/people/posts/contract.ts'
import { user } from '../../areas/people/users/contract.ts'
import { apiCredential } from '../../areas/system/open-api/contract.ts'
import { useSave } from '../../console/kernel/api.ts'
import { FormDialog } from '../../console/kernel/form/FormDialog.tsx'
import { ShownOnce } from '../../console/kernel/form/ShownOnce.tsx'
import ImportDialog from '../../console/kernel/list/ImportDialog.tsx'
import { useConfirmRemove } from '../../console/kernel/list/useConfirmRemove.ts'
import { ResourceForm } from '../../console/kernel/ResourceForm.tsx'
import { ResourceList } from '../../console/kernel/ResourceList.tsx'
import { SettingsForm } from '../../console/kernel/SettingsForm.tsx'
import { request } from '../../console/session/request.ts'
import { lower, useWords } from '../../console/words/words.ts'
import { wechatConfig } from '../../contract/channel-settings.ts'
import { choose, find, press, type } from './play.ts'
import { Stage } from './Specimen.tsx'
import type { Seeds } from './seed.ts'

const save = 'button[type=submit]'

export const NewForm = () => <Stage height={720}>{(close) => <ResourceForm of={post} close={close} />}</Stage>

export const UserForm = () => <Stage height={620}>{(close) => <ResourceForm of={user} close={close} />}</Stage>

export const WideForm = ({ pump }: Seeds) => (
  <Stage height={900}>{(close) => <ResourceForm of={point} fixed={{ DeviceId: pump.Id }} close={close} />}</Stage>
)

/** Nothing is filled in, so the browser refuses. */
const saveEmpty = async (stage: HTMLElement) => {
  await press(stage, save)
  await find(stage, '.form-summary .ant-btn-link')
}
export const Incomplete = () => (
  <Stage height={880} play={saveEmpty}>
    {(close) => <ResourceForm of={alarmCode} close={close} />}
  </Stage>
)

/** The code is taken, so the server refuses. */
const saveTaken = async (stage: HTMLElement) => {
  await type(stage, 'input[id$=_Code]', 'E06')
  await type(stage, 'input[id$=_Name]', 'Another seal')
  await press(stage, save)
  await find(stage, '.form-summary .ant-btn-link')
}
export const Refused = () => (
  <Stage height={880} play={saveTaken}>
    {(close) => <ResourceForm of={alarmCode} close={close} />}
  </Stage>
)

/** Somebody else saves between the opening of the form and its saving. */
const saveLate = (Id: number) => async (stage: HTMLElement) => {
  // Two changes, since the page may be opened again.
  await request('PUT', post.path, { Id, Status: 1, PostNo: 'S1' })
  await request('PUT', post.path, { Id, Status: 0, PostNo: 'S2' })
  await type(stage, 'input[id$=_PostNo]', 'S3')
  await press(stage, save)
  await find(stage, 'fieldset input[type=radio]')
}
export const Clash = ({ shift }: Seeds) => {
  const row = { ...shift, Status: 1 as const, PostNo: 'S1' }
  return (
    <Stage height={900} play={saveLate(shift.Id)}>
      {(close) => <ResourceForm of={post} row={row} close={close} />}
    </Stage>
  )
}

/** A part of the screen: settings have no drawer. */
export const Settings = () => <SettingsForm of={wechatConfig} />

const submitTaken = async (stage: HTMLElement) => {
  await type(stage, 'input', 'E06')
  await press(stage, save)
  await find(stage, '.form-summary .ant-btn-link')
}
const CodeDialog = ({ close }: { close: () => void }) => {
  const t = useWords()
  const sending = useSave(alarmCode)
  return (
    <FormDialog<{ Code: string }>
      title={t('list.add', { thing: lower(t('alarmCode')) })}
      sending={sending}
      submit={({ Code }) => sending.mutate({ Code, Name: Code }, { onSuccess: close })}
      close={close}
    >
      <Form.Item name="Code" label={t('alarmCode.Code')}>
        <Input />
      </Form.Item>
    </FormDialog>
  )
}
export const Dialog = () => (
  <Stage height={420} play={submitTaken}>
    {(close) => <CodeDialog close={close} />}
  </Stage>
)

export const Once = () => {
  const t = useWords()
  return (
    <Stage height={420}>
      {(close) => (
        <ShownOnce
          title={t('oneTime.title', { title: 'María Ortega' })}
          warning={t('oneTime.once')}
          facts={[
            { label: t('user.UserNO'), value: 'maria' },
            { label: t('oneTime.password'), value: 'Xk7-29q' },
          ]}
          close={close}
        />
      )}
    </Stage>
  )
}

const Ask = ({ code }: Seeds) => {
  const t = useWords()
  const confirm = useConfirmRemove(alarmCode, (row: Seeds['code']) => row.Code)
  return (
    <Button danger icon={<DeleteOutlined />} onClick={() => confirm([code])}>
      {t('button.remove')}
    </Button>
  )
}
const ask = async (stage: HTMLElement) => {
  await press(stage, 'button')
  await find(stage, '.ant-modal-confirm-btns')
}
export const Question = (seeds: Seeds) => (
  <Stage height={320} play={ask}>
    {() => <Ask {...seeds} />}
  </Stage>
)

const disable = async (stage: HTMLElement) => {
  await press(stage, '.row-action[aria-haspopup=menu]')
  await press(document, '.ant-dropdown-menu-item-danger')
  await find(stage, '.ant-modal-confirm-btns')
}
export const Act = () => (
  <Stage height={360} play={disable}>
    {() => <ResourceList of={apiCredential} columns={['ApiName', 'Status', 'RatePerMinute']} prefix="act" />}
  </Stage>
)

const sheet = (rows: string[][]) =>
  new File([[['Code', 'Name', 'Level', 'Reason'], ...rows].map((row) => row.join(',')).join('\n')], 'codes.csv', { type: 'text/csv' })
const wrong = sheet([
  ['E07', '', '2', ''],
  ['E01', 'Overload', '9', ''],
  ['E07', 'Twice', '1', ''],
])
const right = sheet([
  ['E01', 'Overload of the motor', '3', 'The motor draws more than its rated current for longer than a minute.'],
  ['E08', 'Air in the pump', '1', 'The suction line leaks.'],
])
const bring = (file: File) => async (stage: HTMLElement) => {
  await choose(stage, file)
  await find(stage, '.ant-table-tbody, .ant-alert-error')
}
const Sheet = ({ file, height }: { file: File; height: number }) => {
  const [play] = useState(() => bring(file))
  return (
    <Stage height={height} play={play}>
      {(close) => <ImportDialog of={alarmCode} fixed={{}} close={close} />}
    </Stage>
  )
}
export const WrongSheet = () => <Sheet file={wrong} height={680} />
export const RightSheet = () => <Sheet file={right} height={640} />
