import { Form, Input, InputNumber, Spin } from 'antd'
import { useState } from 'react'
import { type Shown, useCall, useSave } from '../../../../console/kernel/api.ts'
import { useFormRefusal } from '../../../../console/kernel/form/refusal.tsx'
import { useUser } from '../../../../console/session/session.ts'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { usePhone } from '../../../../console/theme/useWidth.ts'
import { lower, useWords } from '../../../../console/words/words.ts'
import { RightsTree } from '../../menus/console/RightsTree.tsx'
import type { RightsNode } from '../../roles/contract.ts'
import { enterpriseCalls, version } from '../contract.ts'
import { FormFoot } from './FormFoot.tsx'

const numbers = ['MaxGateways', 'MaxUsers', 'MaxPoints', 'Price'] as const
type Entered = Partial<Record<(typeof numbers)[number], number | null>> & { Name: string; Remark?: string | null }

/** A version: its name, its limits, and its menus and buttons. */
const VersionForm = ({ row, close }: { row: Shown<typeof version> | undefined; close: () => void }) => {
  const t = useWords()
  const phone = usePhone()
  const [form] = Form.useForm<Entered>()
  const own = useUser()?.EnterpriseId ?? 0
  const tree = useCall(enterpriseCalls.menus, { query: { EnterpriseId: own } })
  const [codes, setCodes] = useState<string[]>((row?.MenuCodes as string[] | undefined) ?? [])
  const save = useSave(version)
  const refusal = useFormRefusal(form, save.error)
  const submit = (entered: Entered) => {
    const body = { ...entered, MenuCodes: codes, ...(row ? { Id: row.Id, UpdateStamp: row.UpdateStamp } : {}) }
    save.mutate(body as Parameters<typeof save.mutate>[0], { onSuccess: close })
  }
  return (
    <SidePanel
      width={560}
      title={row ? t('form.edit', { title: row.Name }) : t('list.add', { thing: lower(t('version')) })}
      onClose={close}
      footer={<FormFoot close={close} save={() => form.submit()} saving={save.isPending} count={refusal.count} />}
    >
      <Form<Entered>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={row ?? {}}
        onFinish={submit}
        onFinishFailed={refusal.look}
      >
        {refusal.summary}
        <Form.Item
          name="Name"
          label={t('version.Name')}
          rules={[{ required: true, message: t('form.required', { field: t('version.Name') }) }]}
        >
          <Input maxLength={50} autoComplete="off" />
        </Form.Item>
        <div className={phone ? undefined : 'form-grid'}>
          {numbers.map((name) => (
            <Form.Item key={name} name={name} label={t(`version.${name}`)}>
              <InputNumber
                min={name === 'Price' ? 0 : 1}
                controls={false}
                placeholder={name === 'Price' ? undefined : t('tenant.unlimited')}
                style={{ width: '100%' }}
              />
            </Form.Item>
          ))}
        </div>
        <Form.Item name="Remark" label={t('version.Remark')}>
          <Input.TextArea maxLength={200} autoSize={{ minRows: 2, maxRows: 4 }} />
        </Form.Item>
      </Form>
      <h3>{t('version.MenuCodes')}</h3>
      {tree.data ? <RightsTree nodes={tree.data as RightsNode[]} value={codes} onChange={setCodes} /> : <Spin />}
    </SidePanel>
  )
}
export default VersionForm
