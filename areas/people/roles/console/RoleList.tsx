import { CopyOutlined, EyeOutlined, SafetyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { previewRole } from '../../../../console/session/preview.ts'
import { useMay } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { TenantSelect } from '../../enterprises/console/TenantSelect.tsx'
import { role, roleCalls } from '../contract.ts'
import { type Role, RoleDialog } from './RoleDialog.tsx'

/** Roles of the tenant and what they give. */
const RoleList = () => {
  const t = useWords()
  const tenant = useTenant()
  const [mayAdd, mayGive] = [useMay('m10403.add'), useMay('m10403.authorise')]
  const [giving, setGiving] = useState<Role>()
  const copy = useCommand(roleCalls.copy, ['role'])
  return (
    <Page title={t('menu.m10403')}>
      <ResourceList
        of={role}
        columns={['RoleName', 'RouteRole', 'DataScope', 'Status', 'Sort', 'Remark']}
        extra={<TenantSelect />}
        fixed={tenant}
        actions={(row) => [
          { key: 'rights', label: t('role.rights'), icon: <SafetyOutlined />, run: () => setGiving(row) },
          {
            key: 'preview',
            label: t('role.preview'),
            icon: <EyeOutlined />,
            run: () => previewRole({ Id: row.Id, RoleName: row.RoleName }),
          },
          ...(mayAdd
            ? [
                {
                  key: 'copy',
                  label: t('role.copy'),
                  icon: <CopyOutlined />,
                  run: () =>
                    copy.mutate({
                      body: {
                        RoleName: t('role.copyOf', { title: row.RoleName }).slice(0, 50),
                        CopyOf: row.Id,
                        EnterpriseId: row.EnterpriseId,
                      },
                    }),
                },
              ]
            : []),
        ]}
      />
      {giving && <RoleDialog role={giving} readOnly={!mayGive} close={() => setGiving(undefined)} />}
    </Page>
  )
}
export default RoleList
