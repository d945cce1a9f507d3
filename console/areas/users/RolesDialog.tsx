import { Checkbox, Modal, Spin } from 'antd'
import { useState } from 'react'
import { userCalls } from '../../../contract/areas/users.ts'
import { useCall, useCommand } from '../../resource/api.ts'
import { Failure } from '../../resource/Empty.tsx'
import { useWords } from '../../words/words.ts'

/** The roles a person has. */
export const RolesDialog = ({ user, close }: { user: { Id: number; UserName: string }; close: () => void }) => {
  const t = useWords()
  const { data, error, refetch } = useCall(userCalls.roleList, { body: { UserId: user.Id }, of: ['user', 'role'] })
  const [chosen, setChosen] = useState<number[]>()
  const save = useCommand(userCalls.setRoles, ['user'], { meta: { quiet: true } })
  const value = chosen ?? data?.filter((r) => r.Checked).map((r) => r.Id) ?? []
  return (
    <Modal
      open
      title={t('user.rolesOf', { title: user.UserName })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={save.isPending}
      onCancel={close}
      onOk={() => save.mutate({ body: { UserId: user.Id, RoleIds: value } }, { onSuccess: close })}
    >
      <div className="stack">
        {(error ?? save.error) && <Failure fault={(error ?? save.error)!} retry={error ? () => refetch() : undefined} />}
        {data ? (
          <Checkbox.Group
            value={value}
            onChange={setChosen}
            options={data.map((r) => ({ value: r.Id, label: r.RoleName }))}
            style={{ display: 'grid', gap: 8 }}
          />
        ) : (
          !error && <Spin />
        )}
      </div>
    </Modal>
  )
}
