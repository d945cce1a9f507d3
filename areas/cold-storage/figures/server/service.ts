// Services for cold-room reports and energy.
export { type RoomData, roomData } from './data.ts'
export { reasonText, standardOf } from './figures.ts'
