/** One of two windows beside each other: agents take most of their time to start and to answer. */
import './window0';
import './agents.e2e';
