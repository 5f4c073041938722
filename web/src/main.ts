// Starts the page: the elements first, so that they are there when the router opens an article.

import { defineElements } from './elements.ts';
import { showEngineStatus } from './engine-status.ts';
import { startCopyLink } from './shell/copy-link.ts';
import { startMenu } from './shell/menu.ts';
import { createPageHost } from './shell/page-host.ts';
import { startProgressDisplay } from './shell/progress-display.ts';
import { startRouter } from './shell/router.ts';
import { startScrollers } from './shell/scrollers.ts';
import { startTheme } from './shell/theme.ts';
import { startTrustedTypes } from './shell/trusted-types.ts';

startTrustedTypes();
const host = createPageHost();
defineElements(host);

document.documentElement.classList.add('scripted', 'started');
document.getElementById('needs-server')?.remove();

startTheme();
startMenu();
startCopyLink();
startProgressDisplay(host.progress);
startScrollers();
startRouter();
const notices = document.getElementById('load-notice');
if (notices) showEngineStatus(host.engine, notices);
document.getElementById('first-paint')?.remove();

// A reader of the home page will want numbers next; a lesson's benches have asked already.
addEventListener('load', () => setTimeout(() => void host.engine.load(), 200));
