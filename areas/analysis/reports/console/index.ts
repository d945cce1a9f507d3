export { ReportButton } from './ReportButton.tsx'
export { ReportView } from './ReportView.tsx'
