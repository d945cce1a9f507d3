export { aboutCell, refineAbout } from './aboutLooks.tsx'
export { ReportButton } from './ReportButton.tsx'
export { ReportView } from './ReportView.tsx'
