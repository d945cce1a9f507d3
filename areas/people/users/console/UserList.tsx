import { ImportOutlined, KeyOutlined, LockOutlined, SafetyOutlined, UnlockOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { type Shown, useCommand } from '../../../../console/kernel/api.ts'
import { ResourceList } from '../../../../console/kernel/ResourceList.tsx'
import { useMay, useUser } from '../../../../console/session/session.ts'
import { useTenant } from '../../../../console/session/useTenant.ts'
import { Page } from '../../../../console/shell/Page.tsx'
import { useConfirm } from '../../../../console/shell/useConfirm.ts'
import { useWords } from '../../../../console/words/words.ts'
import { OneTimePassword } from '../../enterprises/console/OneTimePassword.tsx'
import { TenantSelect } from '../../enterprises/console/TenantSelect.tsx'
import { user, userCalls } from '../contract.ts'
import { ImportUsers } from './ImportUsers.tsx'
import { RolesDialog } from './RolesDialog.tsx'

type User = Shown<typeof user>
type Secret = { UserNO: string; OneTimePwd: string }

/** Accounts of the tenant: made, given roles, locked. */
const UserList = () => {
  const t = useWords()
  const confirm = useConfirm()
  const self = useUser()?.Id
  const tenant = useTenant()
  const [mayLock, mayReset, mayGive] = [useMay('m10402.lock'), useMay('m10402.resetPwd'), useMay('m10402.authorise')]
  const mayAdd = useMay('m10402.add')
  const [importing, setImporting] = useState(false)
  const [secret, setSecret] = useState<Secret>()
  const [giving, setGiving] = useState<User>()
  const lock = useCommand(userCalls.lock, ['user'])
  const unlock = useCommand(userCalls.unlock, ['user'])
  const reset = useCommand(userCalls.resetPassword, ['user'])
  const ask = (key: 'lock' | 'reset', row: User, run: () => Promise<unknown>) =>
    confirm({
      title: t(`user.${key}Title`, { title: row.UserName }),
      content: t(`user.${key}Text`),
      okText: t(key === 'lock' ? 'button.lock' : 'button.resetPwd'),
      run,
    })
  const body = (row: User) => ({ body: { Id: row.Id } })
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
          refine: (values) => ({
            where: { BelongOrganId: { EnterpriseId: tenant?.EnterpriseId ?? (values.EnterpriseId as number | undefined) } },
          }),
          onSaved: (row) => 'OneTimePwd' in row && setSecret(row as unknown as Secret),
        }}
        actions={(row) =>
          row.Id === self
            ? []
            : [
                ...(mayGive ? [{ key: 'roles', label: t('user.setRoles'), icon: <SafetyOutlined />, run: () => setGiving(row) }] : []),
                ...(mayLock && (row.IsLock === 1 || row.LockUntil)
                  ? [{ key: 'unlock', label: t('user.unlock'), icon: <UnlockOutlined />, run: () => unlock.mutate(body(row)) }]
                  : []),
                ...(mayLock && row.IsLock !== 1
                  ? [
                      {
                        key: 'lock',
                        label: t('button.lock'),
                        icon: <LockOutlined />,
                        danger: true,
                        run: () => ask('lock', row, () => lock.mutateAsync(body(row))),
                      },
                    ]
                  : []),
                ...(mayReset
                  ? [
                      {
                        key: 'reset',
                        label: t('button.resetPwd'),
                        icon: <KeyOutlined />,
                        danger: true,
                        run: () => ask('reset', row, () => reset.mutateAsync(body(row)).then(setSecret)),
                      },
                    ]
                  : []),
              ]
        }
      />
      {secret && <OneTimePassword given={secret} close={() => setSecret(undefined)} />}
      {importing && <ImportUsers tenant={tenant?.EnterpriseId} close={() => setImporting(false)} />}
      {giving && <RolesDialog user={giving} close={() => setGiving(undefined)} />}
    </Page>
  )
}
export default UserList
