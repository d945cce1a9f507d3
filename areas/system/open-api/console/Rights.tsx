import { useCall, useCommand } from '../../../../console/kernel/api.ts'
import { useWords } from '../../../../console/words/words.ts'
import { RightsChooser } from '../../../people/roles/console/RightsChooser.tsx'
import type { RightsNode } from '../../../people/roles/contract.ts'
import { openApiCalls } from '../contract.ts'

type Props = { of: { Id: number; ApiName: string }; readOnly: boolean; close: () => void }

/** Permissions of a program. */
export const Rights = ({ of: { Id, ApiName }, readOnly, close }: Props) => {
  const t = useWords()
  const { data, error, refetch } = useCall(openApiCalls.authList, { query: { Id }, of: ['apiCredential'] })
  const save = useCommand(openApiCalls.auth, ['apiCredential'], { meta: { quiet: true } })
  return (
    <RightsChooser
      title={t('api.rightsOf', { title: ApiName })}
      nodes={data as RightsNode[] | undefined}
      error={error ?? save.error}
      retry={error ? () => refetch() : undefined}
      readOnly={readOnly}
      saving={save.isPending}
      save={(Permissions) => save.mutate({ body: { Id, Permissions } }, { onSuccess: close })}
      close={close}
    />
  )
}
