import { Form, Input, Select } from 'antd'
import { type Shown, useCall, useSave } from '../../../../console/kernel/api.ts'
import { FormDialog } from '../../../../console/kernel/form/FormDialog.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { lower, useWords } from '../../../../console/words/words.ts'
import { organ } from '../../organs/contract.ts'
import { dataPermission, dataPermissionCalls, dataScopes } from '../contract.ts'

type Permission = Shown<typeof dataPermission>
type Entered = { Name: string; ModuleCode: string; DataScope: number; OrganIds: number[]; HiddenFields: string[]; Remark: string | null }
type Props = { row: Permission | undefined; tenant: number | undefined; close: () => void }

const PermissionForm = ({ row, tenant, close }: Props) => {
  const t = useWords()
  const [form] = Form.useForm<Entered>()
  const save = useSave(dataPermission)
  const { data: modules } = useCall(dataPermissionCalls.modules)
  const module = Form.useWatch('ModuleCode', form) ?? row?.ModuleCode ?? 'project'
  const scope = Form.useWatch('DataScope', form) ?? row?.DataScope ?? 3
  const start: Entered = {
    Name: row?.Name ?? '',
    ModuleCode: row?.ModuleCode ?? 'project',
    DataScope: row?.DataScope ?? 3,
    OrganIds: (row?.OrganIds as number[] | undefined) ?? [],
    HiddenFields: (row?.HiddenFields as string[] | undefined) ?? [],
    Remark: row?.Remark ?? null,
  }
  const submit = (entered: Entered) => {
    const values = { ...start, ...entered, OrganIds: entered.DataScope === 4 ? entered.OrganIds : [] }
    const body = row ? { ...values, Id: row.Id, UpdateStamp: row.UpdateStamp } : { ...values, ...(tenant ? { EnterpriseId: tenant } : {}) }
    save.mutate(body as Parameters<typeof save.mutate>[0], { onSuccess: close })
  }
  const field = (name: keyof Entered) => ({ name, label: t(`dataPermission.${name}`) })
  return (
    <FormDialog
      title={row ? t('form.edit', { title: row.Name }) : t('list.add', { thing: lower(t('dataPermission')) })}
      form={form}
      start={start}
      sending={save}
      submit={submit}
      close={close}
    >
      <Form.Item {...field('Name')} rules={[{ required: true, message: t('form.required', { field: t('dataPermission.Name') }) }]}>
        <Input maxLength={50} autoComplete="off" />
      </Form.Item>
      <Form.Item {...field('ModuleCode')}>
        <Select
          options={dataPermission.fields.ModuleCode.of.map((value) => ({ value, label: t(`dataPermission.ModuleCode.${value}`) }))}
          onChange={() => form.setFieldValue('HiddenFields', [])}
        />
      </Form.Item>
      <Form.Item {...field('DataScope')}>
        <Select options={dataScopes.map((value) => ({ value, label: t(`dataPermission.DataScope.${value}`) }))} />
      </Form.Item>
      <Form.Item {...field('OrganIds')} hidden={scope !== 4}>
        <RefsInput to={organ} where={{ EnterpriseId: tenant }} />
      </Form.Item>
      <Form.Item {...field('HiddenFields')}>
        <Select
          mode="multiple"
          allowClear
          placeholder={t('dataPermission.nothingHidden')}
          options={modules
            ?.find((m) => m.ModuleCode === module)
            ?.Fields.map(({ Field, FieldName }) => ({ value: Field, label: FieldName }))}
        />
      </Form.Item>
      <Form.Item {...field('Remark')}>
        <Input.TextArea maxLength={200} autoSize={{ minRows: 2, maxRows: 4 }} />
      </Form.Item>
    </FormDialog>
  )
}
export default PermissionForm
