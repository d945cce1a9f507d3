import { ImportOutlined, SafetyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Shown } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { useOwner, useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { viewing } from '../../../pictures/flowcharts/contract.ts'
import { OneTimePassword } from '../../enterprises/console/OneTimePassword.tsx'
import { TenantSelect } from '../../enterprises/console/TenantSelect.tsx'
import { user } from '../contract.ts'
import { ImportUsers } from './ImportUsers.tsx'
import { RoleFields, Sees } from './RoleFields.tsx'
import { RolesDialog } from './RolesDialog.tsx'

type User = Shown<typeof user>
type Secret = { UserNO: string; OneTimePwd: string } & Partial<User>

/** Accounts of the tenant: create, assign roles, lock. */
const UserList = () => {
  const t = useWords()
  const self = useUser()?.Id
  const tenant = useTenant()
  const owner = useOwner(user)
  const [mayAdd, mayGive, mayLook] = [useMay('m10402.add'), useMay('m10402.authorise'), useMay(viewing)]
  const [importing, setImporting] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  const [giving, setGiving] = useState<User>()
  return (
    <Page title={t('menu.m10402')}>
      <ResourceList
        of={user}
        columns={['UserNO', 'UserName', 'Phone', 'BelongOrganId', 'Status', 'IsLock', 'ValidTo', 'LastLoginTime']}
        cells={{
          UserName: (row) => (
            <>
              {row.UserName} <span className="soft">{[row.RoleNames, row.PostNames].filter(Boolean).join(' · ')}</span>
            </>
          ),
          IsLock: (row) => (row.LockUntil ? t('user.lockedUntil', { time: String(row.LockUntil) }) : undefined),
        }}
        filters={['BelongOrganId', 'DepartmentId', 'Status', 'IsLock']}
        extra={
          <>
            <TenantSelect />
            {mayAdd && (
              <Button icon={<ImportOutlined />} onClick={() => setImporting(true)}>
                {t('button.import')}
              </Button>
            )}
          </>
        }
        fixed={tenant}
        form={{
          refine: (values) => {
            const EnterpriseId = tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined)
            const where = { IndexFlowchartId: { State: 1, EnterpriseId }, BelongOrganId: { EnterpriseId } }
            return mayLook ? { where } : { where, hidden: ['IndexFlowchartId'] }
          },
          ...(mayGive && { above: (values) => <RoleFields name={String(values.UserName ?? '')} /> }),
          onSaved: (row) => 'OneTimePwd' in row && setSecret(row as unknown as Secret),
        }}
        actsOn={(row, act) =>
          row.Id !== self && (act !== 'lock' || row.IsLock !== 1) && (act !== 'unLock' || row.IsLock === 1 || !!row.LockUntil)
        }
        onActed={{ resetPwd: (made) => setSecret(made as unknown as Secret) }}
        actions={(row) =>
          mayGive && row.Id !== self
            ? [{ key: 'roles', label: t('user.setRoles'), icon: <SafetyOutlined />, run: () => setGiving(row) }]
            : []
        }
      />
      {secret && (
        <OneTimePassword
          given={secret}
          note={secret.RoleIds ? <Sees of={secret as User} /> : undefined}
          close={() => setSecret(undefined)}
        />
      )}
      {importing && <ImportUsers tenant={owner?.EnterpriseId} close={() => setImporting(false)} />}
      {giving && <RolesDialog user={giving} close={() => setGiving(undefined)} />}
    </Page>
  )
}
export default UserList
