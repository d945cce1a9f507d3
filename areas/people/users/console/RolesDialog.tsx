import { Checkbox, Modal, Spin } from 'antd'
import { useState } from 'react'
import { useCall, useCommand, useSave } from '../../../../console/kernel/api.ts'
import { Failure } from '../../../../console/kernel/Empty.tsx'
import { RefsInput } from '../../../../console/kernel/form/RefsInput.tsx'
import { useMay } from '../../../../console/session/session.ts'
import { useWords } from '../../../../console/words/words.ts'
import type { Change } from '../../../../contract/resource.ts'
import { post } from '../../posts/contract.ts'
import { userCalls, user as users } from '../contract.ts'

type Props = { user: { Id: number; UserName: string; EnterpriseId: number } & Record<string, unknown>; close: () => void }

/** Roles and job titles of a person. */
export const RolesDialog = ({ user, close }: Props) => {
  const t = useWords()
  const { data, error, refetch } = useCall(userCalls.roleList, { body: { UserId: user.Id }, of: ['user', 'role'] })
  const [chosen, setChosen] = useState<number[]>()
  const save = useCommand(userCalls.setRoles, ['user'], { meta: { quiet: true } })
  const [posts, setPosts] = useState<number[]>()
  const mayEdit = useMay('m10402.edit')
  const savePosts = useSave(users)
  const fault = error ?? save.error ?? savePosts.error
  const value = chosen ?? data?.filter((r) => r.Checked).map((r) => r.Id) ?? []
  const submit = async () => {
    if (posts) await savePosts.mutateAsync({ Id: user.Id, PostIds: posts } as Change<typeof users>)
    if (chosen) await save.mutateAsync({ body: { UserId: user.Id, RoleIds: value } })
  }
  return (
    <Modal
      open
      title={t('user.rolesOf', { title: user.UserName })}
      okText={t('save')}
      cancelText={t('cancel')}
      confirmLoading={save.isPending || savePosts.isPending}
      onCancel={close}
      onOk={() => void submit().then(close, () => undefined)}
    >
      <div className="stack">
        {fault && <Failure fault={fault} retry={error ? () => refetch() : undefined} />}
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
        {mayEdit && (
          <>
            <h3>{t('menu.m10413')}</h3>
            <RefsInput
              to={post}
              where={{ EnterpriseId: user.EnterpriseId }}
              value={posts ?? (user.PostIds as number[] | undefined) ?? []}
              onChange={setPosts}
              aria-label={t('menu.m10413')}
            />
          </>
        )}
      </div>
    </Modal>
  )
}
