import { CopyOutlined, EyeOutlined, SafetyOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { role, roleCalls } from '../../../contract/areas/roles.ts'
import { Page } from '../../app/Page.tsx'
import { useCommand } from '../../resource/api.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { previewRole } from '../../session/preview.ts'
import { useMay } from '../../session/session.ts'
import { useTenant } from '../../session/useTenant.ts'
import { useWords } from '../../words/words.ts'
import { TenantSelect } from '../enterprises/TenantSelect.tsx'
import { type Role, RoleDialog } from './RoleDialog.tsx'

/** Roles of the tenant and what they give. */
const RoleList = () => {
  const t = useWords()
  const tenant = useTenant()
  const [mayAdd, mayGive] = [useMay('m10403.add'), useMay('m10403.authorise')]
  const [giving, setGiving] = useState<Role>()
  const copy = useCommand(roleCalls.create, ['role'])
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
