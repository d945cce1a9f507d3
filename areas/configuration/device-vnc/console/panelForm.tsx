import { Form } from 'antd'
import { SecretInput } from '../../../../console/kernel/form/SecretInput.tsx'
import type { FormProps } from '../../../../console/kernel/ResourceForm.tsx'
import { useWords } from '../../../../console/words/words.ts'

const Password = ({ isSet }: { isSet: boolean }) => {
  const t = useWords()
  return (
    <Form.Item name="Password" label={t('deviceVnc.Password')} tooltip={t('help.deviceVnc.Password')}>
      <SecretInput held={isSet} />
    </Form.Item>
  )
}

/** The password is not a field of the panel: it can be replaced or removed, but not read. */
export const below: FormProps['below'] = (_values, row) => <Password isSet={row?.HasPassword === 1} />
