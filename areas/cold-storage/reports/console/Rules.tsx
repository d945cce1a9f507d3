import type { ToolProps } from '../../../../console/kernel/plainScreens.ts'
import { SettingsForm } from '../../../../console/kernel/SettingsForm.tsx'
import { SidePanel } from '../../../../console/shell/SidePanel.tsx'
import { useWords } from '../../../../console/words/words.ts'
import { coldReportRules } from '../contract.ts'

/** Who may check reports. */
export default function Rules({ close }: ToolProps) {
  const t = useWords()
  return (
    <SidePanel width={420} title={t('coldReportRules')} onClose={close}>
      <SettingsForm of={coldReportRules} onSaved={close} />
    </SidePanel>
  )
}
