import { type RightsNode, roleCalls } from '../../../contract/areas/roles.ts'
import { useCall, useCommand } from '../../resource/api.ts'
import { useWords } from '../../words/words.ts'
import { RightsChooser } from './RightsChooser.tsx'

type Props = { role: { Id: number; RoleName: string }; readOnly: boolean; close: () => void }

/** What a role gives. */
export const RightsDialog = ({ role, readOnly, close }: Props) => {
  const t = useWords()
  const { data, error, refetch } = useCall(roleCalls.menuList, { body: { RoleId: role.Id }, of: ['role'] })
  const save = useCommand(roleCalls.setMenus, ['role'], { meta: { quiet: true } })
  return (
    <RightsChooser
      title={t('role.rightsOf', { title: role.RoleName })}
      nodes={data as RightsNode[] | undefined}
      error={error ?? save.error}
      retry={error ? () => refetch() : undefined}
      readOnly={readOnly}
      saving={save.isPending}
      save={(MenuCodes) => save.mutate({ body: { RoleId: role.Id, MenuCodes } }, { onSuccess: close })}
      close={close}
    />
  )
}
