import { DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { type Shown, useRemove } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { lower, useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../enterprises/console/TenantSelect.tsx'
import { dataPermission } from '../contract.ts'
import { PermissionForm } from './PermissionForm.tsx'

type Permission = Shown<typeof dataPermission>

/** Rules that roles can be given: which rows of a module they show, and which fields they hide. */
const PermissionList = () => {
  const t = useWords()
  const confirm = useConfirm()
  const tenant = useTenant()
  const [mayAdd, mayEdit, mayRemove] = [useMay('m10417.add'), useMay('m10417.edit'), useMay('m10417.remove')]
  const [editing, setEditing] = useState<Permission | 'new'>()
  const remove = useRemove(dataPermission)
  const ask = (row: Permission) =>
    confirm({
      title: t('list.removeOne', { title: row.Name }),
      content: t('remove.dataPermission'),
      run: () => remove.mutateAsync([row.Id]),
    })
  return (
    <Page title={t('menu.m10417')}>
      <ResourceList
        of={dataPermission}
        readOnly
        columns={['Name', 'ModuleCode', 'DataScope', 'Remark']}
        fixed={tenant}
        extra={
          <>
            <TenantSelect />
            {mayAdd && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setEditing('new')}>
                {t('list.add', { thing: lower(t('dataPermission')) })}
              </Button>
            )}
          </>
        }
        actions={(row) => [
          ...(mayEdit ? [{ key: 'edit', label: t('button.edit'), icon: <EditOutlined />, run: () => setEditing(row) }] : []),
          ...(mayRemove ? [{ key: 'remove', label: t('button.remove'), icon: <DeleteOutlined />, danger: true, run: () => ask(row) }] : []),
        ]}
      />
      {editing && (
        <PermissionForm
          row={editing === 'new' ? undefined : editing}
          tenant={editing === 'new' ? tenant?.EnterpriseId : editing.EnterpriseId}
          close={() => setEditing(undefined)}
        />
      )}
    </Page>
  )
}
export default PermissionList
