import { Button, Checkbox, Form, Select, Spin } from 'antd'
import { useState } from 'react'
import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { dataPermissionCalls, dataScopes } from '../../data-permissions/contract.ts'
import { organ } from '../../organs/contract.ts'
import type { PartProps } from './RoleDialog.tsx'

type Chosen = { DataScope: number; OrganIds: number[]; DataPermissionIds: number[] }

export const DataPart = ({ role, readOnly, close }: PartProps) => {
  const t = useWords()
  const { data, error, refetch } = useCall(dataPermissionCalls.ofRole, { body: { RoleId: role.Id }, of: ['role', 'dataPermission'] })
  const [changed, setChanged] = useState<Partial<Chosen>>()
  const save = useCommand(dataPermissionCalls.setOfRole, ['role', 'project', 'user'], { meta: { quiet: true } })
  if (!data) return error ? <Failure fault={error} retry={() => refetch()} /> : <Spin />
  const value: Chosen = {
    DataScope: data.DataScope,
    OrganIds: data.OrganIds,
    DataPermissionIds: data.Items.filter((p) => p.Checked).map((p) => p.Id),
    ...changed,
  }
  const set = (more: Partial<Chosen>) => setChanged({ ...changed, ...more })
  return (
    <Form layout="vertical" disabled={readOnly}>
      {save.error && <Failure fault={save.error} />}
      <Form.Item label={t('role.DataScope')} extra={t('role.dataHelp')} htmlFor="role-scope">
        <Select
          id="role-scope"
          value={value.DataScope}
          onChange={(DataScope) => set({ DataScope })}
          options={dataScopes.map((scope) => ({ value: scope, label: t(`role.DataScope.${scope}`) }))}
        />
      </Form.Item>
      {value.DataScope === 4 && (
        <Form.Item label={t('dataPermission.OrganIds')} htmlFor="role-organs">
          <RefsInput
            id="role-organs"
            to={organ}
            where={{ EnterpriseId: role.EnterpriseId }}
            value={value.OrganIds}
            onChange={(OrganIds) => set({ OrganIds })}
          />
        </Form.Item>
      )}
      {data.Items.length > 0 && (
        <Form.Item label={t('menu.m10417')} extra={t('role.permissionsHelp')}>
          <Checkbox.Group
            value={value.DataPermissionIds}
            onChange={(DataPermissionIds) => set({ DataPermissionIds })}
            options={data.Items.map((p) => ({ value: p.Id, label: `${p.Name} (${t(`dataPermission.ModuleCode.${p.ModuleCode}`)})` }))}
            style={{ display: 'grid', gap: 8 }}
          />
        </Form.Item>
      )}
      <Button
        type="primary"
        disabled={readOnly || changed === undefined}
        loading={save.isPending}
        onClick={() => save.mutate({ body: { RoleId: role.Id, ...changed } }, { onSuccess: close })}
      >
        {t('save')}
      </Button>
    </Form>
  )
}
